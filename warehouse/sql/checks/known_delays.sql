-- in one month, many flights that arrived have no known delay; delay rates do not count them
--   error: unknown_share > 0.5: the rates of the month describe a minority of its flights, so its file was misread
--   warn: unknown_share > 0.02: the files of BTS have a delay for more than 99 % of the flights that arrived
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
    arrived_count,
    round((arrived_count - completed_count) / arrived_count, 4) as unknown_share
from months
where completed_count < arrived_count
