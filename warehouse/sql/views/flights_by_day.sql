-- One row per flight_date and airport of departure, for months whose source has dates.
--   origin: airport of departure, IATA code
--   delayed_rate: delayed_count / completed_count; for several rows, divide the sums of these counts
--   cancelled_rate: cancelled_count / flight_count; for several rows, divide the sums of these counts
create or replace view main.flights_by_day as
select
    flight_date,
    airport as origin,
    flight_count,
    cancelled_count,
    completed_count,
    delayed_count,
    delayed_count / nullif(completed_count, 0) as delayed_rate,
    cancelled_count / nullif(flight_count, 0) as cancelled_rate
from raw.airport_days
