-- One row per flight_date and airport of origin: all days with dated flights in the history. For months in which the
-- lake has no dates, the days come from the calendar of the seed.
--   airport: airport of departure, IATA code
create or replace table intermediate.int_airport_days as
with
seed_days as (
    select * from reference.calendar_days
    where date_trunc('month', flight_date) not in (select date_trunc('month', flight_date) from raw.airport_days)
),

airport_days as (
    select * from raw.airport_days
    union all by name
    select * from seed_days
)

select * from airport_days
