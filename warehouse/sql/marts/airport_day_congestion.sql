-- One row per airport, month of the year and ISO weekday, with the average congestion over the movements of the day.
-- Values are rounded, because the last bit of a sum of fractions depends on the order of the rows.
--   congestion: 0 to 1, mean of the hours weighted by their movements
--   daily_movements: scheduled departures and arrivals of such a day
create or replace table marts.airport_day_congestion as
select
    airport,
    month_of_year,
    weekday,
    round(sum(congestion * daily_movements) / sum(daily_movements), 6) as congestion,
    round(sum(daily_movements), 6) as daily_movements
from marts.airport_hour_congestion
group by all
order by all
