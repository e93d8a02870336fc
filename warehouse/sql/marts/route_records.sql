-- One row per origin, dest and carrier, with the first and the last month of the record of that airline-route. A whole
-- year counts as a record from January to December.
create or replace table marts.route_records as
select
    origin,
    dest,
    carrier,
    min(case when is_year(month) then date_trunc('year', month) else month end)::date as first_month,
    max(month) as last_month
from raw.route_hours
group by all
order by all
