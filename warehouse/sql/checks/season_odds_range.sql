-- error: odds of a month, weekday or holiday that cannot be
select
    kind,
    level,
    odds
from marts.season_odds
where not coalesce(odds > 0 and isfinite(odds), false)
