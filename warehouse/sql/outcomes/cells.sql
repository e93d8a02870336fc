-- One row per airline-route, scheduled local departure hour and half-year: flights that could take the step, and
-- flights that took it; recent flights have more weight. `logOdds` is the level of the step in the months of the
-- flights.
with
counts as (
    select
        route,
        month,
        local_hour,
        half_year,
        season_depth,
        weight,
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
    from outcome_counts
),

levels as (
    select
        month::date as month,
        expit(log_odds) as rate
    from outcome_months
),

counted as (
    select
        route,
        local_hour,
        half_year,
        sum((from_count * weight::double * season_depth)::decimal(28, 9)) as seasonal_count,
        sum(from_count * weight) as from_count,
        sum(step_count * weight) as step_count,
        sum((from_count * weight::double * levels.rate)::decimal(28, 9)) as expected_count
    from counts
    inner join levels using (month)
    where from_count > 0
    group by all
)

select
    route,
    local_hour as hour,
    (half_year = 'S')::integer as summer,
    round(seasonal_count::double / from_count::double, 9) as "seasonDepth",
    null::integer as month,
    from_count::double as flights,
    step_count::double as delayed,
    round(logit(greatest(1e-6, least(1 - 1e-6, expected_count::double / from_count::double))), 9) as "logOdds"
from counted
order by route, half_year, local_hour
