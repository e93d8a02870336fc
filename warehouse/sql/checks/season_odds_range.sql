-- error: the odds of a month, weekday or holiday are not positive and finite
select
    kind,
    level,
    odds
from marts.season_odds
where not coalesce(odds > 0 and isfinite(odds), false)
