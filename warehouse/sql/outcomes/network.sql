-- One row: the share of flights that took the step, the mean of the months' levels without their seasons, in log-odds,
-- and the standard deviation of the months around this mean. Recent months have more weight. Before the levels are
-- fitted, mean and standard deviation are null.
with
months as (
    select
        month,
        level_weight(date_diff('month', middle_of(month), max(middle_of(month)) over ())) as weight,
        sum(case $step
            when 'late15' then late15_from
            when 'late60' then late60_from
            when 'late120' then late120_from
            when 'late180' then late180_from
            when 'late360' then late360_from
        end) as from_count,
        sum(case $step
            when 'late15' then late15_count
            when 'late60' then late60_count
            when 'late120' then late120_count
            when 'late180' then late180_count
            when 'late360' then late360_count
        end) as step_count
    from outcome_month_counts
    group by month
),

network as (
    select
        sum(from_count)::double as flights,
        (sum(step_count * weight) + 0.5)::double / (sum(from_count * weight) + 1)::double as rate,
        sum((from_count * weight::double * (log_odds - season))::decimal(28, 9))::double
        / nullif(sum(from_count * weight) filter (where log_odds is not null), 0)::double as level,
        sum((from_count * weight::double * power(log_odds - season, 2))::decimal(28, 9))::double
        / nullif(sum(from_count * weight) filter (where log_odds is not null), 0)::double as square
    from months
    left join outcome_months on outcome_months.month = months.month::varchar
)

select
    flights,
    logit(rate) as log_odds,
    level,
    sqrt(greatest(0, square - level * level)) as spread
from network
