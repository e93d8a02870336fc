-- Completed flights beyond four more delays. Null in months whose files do not count them, such as files of sums written
-- by older code.
alter table raw.route_hours add column delayed45_count integer;

alter table raw.route_hours add column delayed90_count integer;

alter table raw.route_hours add column delayed180_count integer;

alter table raw.route_hours add column delayed360_count integer;
