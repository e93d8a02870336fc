-- Creates `checked_flights` from the files of a lake month: one row per flight, without rejected rows. Three variables
-- can limit the flights: `flights_until` to days before it, `flights_origins` to airports of departure, and
-- `flights_carriers` to airlines. Codes are separated by commas.
create or replace temp view checked_flights as
with
lake_flights as (
    select * from read_parquet(getvariable('flights_path'), hive_partitioning = false)
    -- Adds the columns that older lake files do not have. Adds no row.
    union all by name
    select
        null::tinyint as weekday,
        null::varchar as brand,
        null::varchar as brand_flight_number
    where false
)

select
    * exclude (weekday),
    coalesce(weekday, isodow(flight_date)::tinyint) as weekday,
    getvariable('month')::date as month,
    null as reject
from lake_flights
where
    (getvariable('flights_until') is null or flight_date < getvariable('flights_until')::date)
    and coalesce(list_contains(string_split(getvariable('flights_origins')::varchar, ','), origin), true)
    and coalesce(list_contains(string_split(getvariable('flights_carriers')::varchar, ','), carrier), true)
