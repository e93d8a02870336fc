-- One row per origin, dest and carrier: the first and the last month of its record.
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
