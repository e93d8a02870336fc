-- the typical weather of an airport is outside possible limits
--   error: any row: no airport has such weather, so the mart or its source is broken
--   warn: never: every such row is an error
select
    airport,
    month_of_year
from marts.airport_climatology
where
    not (risk >= 0 and risk <= 1)
    or temp_mean_c not between -60 and 60
    or wind_max_kmh not between 0 and 200
    or precip_max_mm not between 0 and 100
