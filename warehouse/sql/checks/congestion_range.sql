-- a congestion is not between 0 and 1
--   error: any row: scores use the value unchanged
--   warn: never: every such row is an error
select
    airport,
    month_of_year,
    weekday
from marts.airport_hour_congestion
where not coalesce(congestion >= 0 and congestion <= 1, false)
union all
select
    airport,
    month_of_year,
    weekday
from marts.airport_day_congestion
where not coalesce(congestion >= 0 and congestion <= 1, false)
