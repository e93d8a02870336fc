-- Adds the days of the current version of a month, from its single flights.
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
