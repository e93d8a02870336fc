-- One row per origin, dest and carrier, with the first and the last month of the record of that airline-route.
create or replace table marts.route_records as
select
    origin,
    dest,
    carrier,
    min(month) as first_month,
    max(month) as last_month
from raw.route_hours
group by all
order by all
