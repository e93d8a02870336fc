-- Selects the cells of one as-of day, as numbers. The order of the cells is fixed, so that sums of fractions are equal
-- in every run.
select
    route,
    local_hour as hour,
    (half_year = 'S')::integer as summer,
    season_depth as "seasonDepth",
    date_diff('month', date '1970-01-01', month) as month,
    flight_count::double as flights,
    delayed_count::double as delayed,
    log_odds as "logOdds"
from effect_cells
where as_of = $as_of::date
order by route, effect_cells.month, half_year, local_hour
