-- warn: the newest flights are over two years old, or neither flights nor the delay-cause table cover the last six
-- months; BTS publishes two to three months late
--   flights_months = 24: greatest age of the newest month of flights, in calendar months
--   newest_months = 6: greatest age of the newest month of flights or of the delay-cause table, in calendar months
with
newest as (
    select
        (select max(month) from raw.lake_months) as last_flight_month,
        (select max(month) from raw.delay_cause_months) as last_level_month,
        date_trunc('month', coalesce(getvariable('today')::date, current_date)) as this_month
)

select
    last_flight_month,
    last_level_month
from newest
where
    last_flight_month < this_month - to_months($flights_months::integer)
    or greatest(last_flight_month, last_level_month) < this_month - to_months($newest_months::integer)
