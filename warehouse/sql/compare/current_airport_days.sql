-- Adds the days of a month's current version, from the counts by airport and day. Used for months that have no single
-- flights.
insert into current_days
select
    $month::date as month,
    null as carrier,
    airport,
    flight_date,
    sum(flight_count) as flights
from read_parquet($airportDays, hive_partitioning = false)
group by all
