-- the odds of a month, weekday or holiday are not positive and finite
--   error: any row: the value goes into scores as it is
--   warn: never: every such row is an error
select
    kind,
    level,
    odds
from marts.season_odds
where not coalesce(odds > 0 and isfinite(odds), false)
