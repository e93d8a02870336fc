-- One row per month of the history from which the marts are built.
--   completeness: whole (all flights), partial (the flights of some airports, airlines, routes or days) or sample
--     (single flights out of most groups)
--   table_share: share of the flights in the delay-cause table that this month also has, 0 to 1; null without the table
--     of the month
create or replace table marts.months as
select
    lake_months.month,
    lake_months.source_name,
    lake_months.rows_loaded,
    month_completeness.kind as completeness,
    month_completeness.table_share
from raw.lake_months
left join raw.month_completeness using (month)
order by lake_months.month
