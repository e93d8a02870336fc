-- Adds the days of a month's current version, from the single flights.
insert into current_days
select
    $month::date as month,
    carrier,
    origin as airport,
    flight_date,
    count(*) as flights
from read_parquet($flights, hive_partitioning = false)
where flight_date is not null
group by all
