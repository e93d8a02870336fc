-- Adds months of the delay-cause table; `$files` is a JSON list of their files in the lake.
insert into level_cells
select
    month,
    carrier,
    airport,
    sum(arr_flights) as flights
from read_parquet($files::json::varchar[], hive_partitioning = false)
group by all
having sum(arr_flights) > 0
