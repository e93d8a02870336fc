-- a month has flights from far fewer or far more airports than the month before it
--   error: never: real histories begin with one region or a sample, and the whole country follows
--   warn: any row: most months of a whole network differ by less
--   least = 0.8: least share of the airports of the month before
--   most = 1.25: greatest multiple of the airports of the month before
with
months as (
    select
        month,
        count(distinct origin) as airport_count
    from raw.route_hours
    where not is_year(month)
    group by all
),

compared as (
    select
        month,
        airport_count,
        lag(airport_count) over (order by month) as previous_count,
        lag(month) over (order by month) as previous_month
    from months
)

select
    month,
    airport_count,
    previous_count
from compared
where
    previous_month = month - interval 1 month
    and airport_count not between $least * previous_count and $most * previous_count
