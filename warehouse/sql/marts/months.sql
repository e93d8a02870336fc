-- One row per month of the history behind the marts.
create or replace table marts.months as
select
    month,
    source_name,
    rows_loaded
from raw.lake_months
order by month
