-- One row per origin, dest and carrier: counts over the whole history.
create or replace table intermediate.int_route_carrier_counts as
select
    origin,
    dest,
    carrier,
    sum(flight_count)::bigint as flight_count,
    sum(completed_count)::bigint as completed_count,
    sum(delayed_count)::bigint as delayed_count,
    sum(cancelled_count)::bigint as cancelled_count,
    sum(delayed_min_sum)::bigint as delayed_min_sum
from raw.route_hours
group by all
order by all
