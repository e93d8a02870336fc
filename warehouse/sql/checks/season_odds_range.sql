-- the odds of a month or weekday are not positive and finite, or the log-odds of a day near a holiday are not finite
--   error: any row: scores use the value unchanged
--   warn: never: every such row is an error
select
    kind,
    level::varchar as level,
    odds
from marts.season_odds
where not coalesce(odds > 0 and isfinite(odds), false)
union all
select
    'holiday' as kind,
    concat_ws(' ', country_code, flight_date) as level,
    log_odds as odds
from marts.holiday_days
where not coalesce(isfinite(log_odds), false)
