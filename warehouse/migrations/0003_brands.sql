-- The airline whose code is on the ticket; null if the source has only operators.
alter table raw.route_hours add column brand varchar;
