-- warn: in one month, more than 2 % of the flights that arrived have no known delay; delay rates do not count them
--   most = 0.02: greatest share of the flights that arrived
with
months as (
    select
        month,
        sum(flight_count - cancelled_count - diverted_count) as arrived_count,
        sum(completed_count) as completed_count
    from raw.route_hours
    group by all
)

select
    month,
    arrived_count - completed_count as unknown_count,
    arrived_count
from months
where arrived_count - completed_count > $most * arrived_count
