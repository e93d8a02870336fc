-- checked_flights as it was when the lake month was written: one row per flight, all of them good; where
-- `flights_until` is set, only those before that day; where `flights_origins` or `flights_carriers` are, codes with
-- commas between, only those from these airports or of these airlines.
create or replace temp view checked_flights as
with
lake_flights as (
    select * from read_parquet(getvariable('flights_path'), hive_partitioning = false)
    -- Months written earlier have no weekday: a column without a row.
    union all by name
    select null::tinyint as weekday
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
