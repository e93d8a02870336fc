-- One row per month, carrier, route and scheduled departure hour: the aggregates of the lake as a source, with the
-- column names of this project.
create or replace temp view route_hours as
select * from source
