-- error: a congestion outside 0 to 1
select
    airport,
    month_of_year,
    weekday
from marts.airport_hour_congestion
where not (congestion >= 0 and congestion <= 1)
union all
select
    airport,
    month_of_year,
    weekday
from marts.airport_day_congestion
where not (congestion >= 0 and congestion <= 1)
