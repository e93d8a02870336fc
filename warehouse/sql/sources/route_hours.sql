-- One row per month, carrier, route and scheduled departure hour: the aggregates of the lake as a source.
create or replace temp view route_hours as
select
    month,
    carrier,
    origin,
    dest,
    crs_dep_hour,
    delay_basis,
    flight_count,
    cancelled_count,
    diverted_count,
    completed_count,
    delayed15_count,
    delayed_count,
    delayed60_count,
    delayed120_count,
    delayed_min_sum
from source
