-- One row per airline-route and month: flights that could take the step, and flights that took it.
with
counts as (
    select
        route,
        month,
        half_year,
        season_depth,
        case $step
            when 'late15' then late15_from
            when 'late60' then late60_from
            when 'late120' then late120_from
            when 'late180' then late180_from
            when 'late360' then late360_from
            when 'cancelled' then cancelled_from
        end as from_count,
        case $step
            when 'late15' then late15_count
            when 'late60' then late60_count
            when 'late120' then late120_count
            when 'late180' then late180_count
            when 'late360' then late360_count
            when 'cancelled' then cancelled_count
        end as step_count
    from outcome_month_counts
)

select
    route,
    null::tinyint as hour,
    (half_year = 'S')::integer as summer,
    season_depth as "seasonDepth",
    date_diff('month', date '1970-01-01', month) as month,
    from_count::double as flights,
    step_count::double as delayed,
    $log_odds::double as "logOdds"
from counts
where from_count > 0
order by route, month
