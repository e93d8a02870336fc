-- checked_flights as it was when the lake month was written: one row per flight, all of them good.
create or replace temp view checked_flights as
select
    *,
    getvariable('month')::date as month,
    null as reject
from read_parquet(getvariable('flights_path'), hive_partitioning = false)
