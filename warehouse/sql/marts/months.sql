-- One row per month of history the marts rest on.
create or replace table marts.months as
select
    month,
    source_name,
    rows_loaded
from raw.lake_months
order by month
