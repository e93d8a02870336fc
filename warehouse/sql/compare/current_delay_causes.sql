-- Replaces the rows of one month in `current_routes` with the current version of the delay-cause table.
delete from current_routes where month = $month::date;

insert into current_routes
select
    $month::date as month,
    carrier,
    airport as origin,
    null as dest,
    sum(arr_flights) as flights,
    sum(arr_flights) as timed,
    sum(arr_flights) as arrivals,
    0 as branded
from read_parquet($delayCauses, hive_partitioning = false)
group by all
