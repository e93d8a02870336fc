-- warn: flights are over two years old, or neither they nor the delay-cause table are of the last six months; BTS publishes
-- two to three months late
--   flights_months = 24: calendar months that flights may be back
--   newest_months = 6: that flights, or the delay-cause table, may be back
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
