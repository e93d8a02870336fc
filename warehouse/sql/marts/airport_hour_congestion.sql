-- One row per airport, month of the year, ISO weekday and local hour with scheduled movements (departures and
-- arrivals). `congestion = utilisation * growth`, from 0 to 1. `utilisation` is the number of movements relative to the
-- airport's busiest hour. `growth` is how fast delays grow with the load at airports of the same size. A congestion of
-- 1 is reached only in the busiest hour of an airport of the size class in which delays grow fastest. More movements in
-- an hour never lower its congestion.
--   daily_movements: scheduled departures and arrivals in that hour of such a day
--   utilisation: movements relative to the airport's busiest hour, 0 to 1
--   congestion: 0 to 1
create or replace table marts.airport_hour_congestion as
select
    traffic.airport,
    traffic.month_of_year,
    traffic.weekday,
    traffic.local_hour,
    traffic.daily_movements,
    traffic.daily_movements / peaks.peak_movements as utilisation,
    round(traffic.daily_movements / peaks.peak_movements * coalesce(growth.growth, 0), 6) as congestion
from intermediate.int_airport_hour_traffic as traffic
inner join intermediate.int_airport_peaks as peaks using (airport)
left join intermediate.int_load_growth as growth using (size_class)
where traffic.daily_movements > 0
order by airport, month_of_year, weekday, local_hour
