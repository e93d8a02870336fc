-- One row per month, carrier, route and scheduled departure hour: the aggregates of the lake as a source, in our words.
create or replace temp view route_hours as
select * from source
