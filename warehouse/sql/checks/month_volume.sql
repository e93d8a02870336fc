-- a month has less than half or more than twice the flights of the month before it
--   error: never: real histories mix samples, regions and whole months, and flights fell by half in April 2020
--   warn: any row: ordinary months in a row differ by less than a quarter
--   least = 0.5: least share of the flights of the month before
--   most = 2: greatest multiple of the flights of the month before
with
months as (
    select
        month,
        sum(flight_count) as flight_count
    from raw.route_hours
    where not is_year(month)
    group by all
),

compared as (
    select
        month,
        flight_count,
        lag(flight_count) over (order by month) as previous_count,
        lag(month) over (order by month) as previous_month
    from months
)

select
    month,
    flight_count,
    previous_count
from compared
where
    previous_month = month - interval 1 month
    and flight_count not between $least * previous_count and $most * previous_count
