-- error: a congestion outside 0 to 1
select
    airport,
    month_of_year,
    local_hour
from marts.airport_hour_congestion
where not (congestion >= 0 and congestion <= 1)
