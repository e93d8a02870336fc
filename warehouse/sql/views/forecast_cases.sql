-- One row per forecast that was compared with actual flights. If the source has no days, the forecasts for all days of
-- a slot are averaged, because these days have the same actual flights.
--   kind: live (frozen before the flights) or replayed (made later from the data before the month)
--   month: month of the flights, YYYY-MM
--   horizon_days: days from the forecast to the flight; null for a replayed forecast
--   provider: provider of the flight record
--   slot: day, weekday of a month, or month, as precise as the source
--   block: the day or, if the source has no days, the month and airport; flights of a block share their weather
--   late_probability: P(more than 30 minutes late)
--   disrupted_probability: P(more than 30 minutes late or cancelled)
create or replace view main.forecast_cases as
with
file_rows as (
    select * from $cases
    union all by name
    select
        null::varchar as kind,
        null::varchar as month,
        null::integer as horizon_days,
        null::varchar as provider,
        null::varchar as carrier,
        null::varchar as origin,
        null::varchar as dest,
        null::integer as local_hour,
        null::varchar as slot,
        null::varchar as block,
        null::double as late_probability,
        null::double as disrupted_probability,
        null::integer as completed_count,
        null::integer as delayed_count,
        null::integer as diverted_count,
        null::integer as cancelled_count
    where false
)

select
    kind,
    month,
    horizon_days,
    provider,
    carrier,
    origin,
    dest,
    local_hour,
    slot,
    block,
    late_probability,
    disrupted_probability,
    completed_count,
    delayed_count,
    diverted_count,
    cancelled_count
from file_rows
