-- One row per airport and month of the year: the congestion a departure meets on average over the hours of the day.
create or replace table marts.airport_month_congestion as
select
    airport,
    month_of_year,
    sum(congestion * daily_departures) / sum(daily_departures) as congestion,
    sum(daily_departures) as daily_departures
from marts.airport_hour_congestion
group by all
order by all
