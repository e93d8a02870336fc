-- One row per flight_date and airport of origin, for every day with dated flights in the history. If the flights of a
-- month have no dates, the days come from the seed's calendar.
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
