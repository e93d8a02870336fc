-- One row per airport, month of the year and ISO weekday: the congestion a movement meets on average over the day's hours.
-- Rounded, as sums of fractions differ in their last bit with the order they are taken in.
--   congestion: 0 to 1, the mean of the hours by their movements
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
