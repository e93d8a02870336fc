-- One row per step between delays, with three figures: the share of flights that took the step; the mean of the months'
-- levels without their seasons, in log-odds; and the standard deviation of the months around this mean. Recent months
-- have more weight. Before the levels are fitted, mean and standard deviation are null.
with
months as (
    select
        month,
        level_weight(date_diff('month', middle_of(month), max(middle_of(month)) over ())) as weight,
        unnest(['late15', 'late60', 'late120', 'late180', 'late360']) as step,
        unnest([sum(late15_from), sum(late60_from), sum(late120_from), sum(late180_from), sum(late360_from)]) as from_count,
        unnest([sum(late15_count), sum(late60_count), sum(late120_count), sum(late180_count), sum(late360_count)]) as step_count
    from outcome_month_counts
    group by month
),

network as (
    select
        months.step,
        sum(from_count)::double as flights,
        (sum(step_count * weight) + 0.5)::double / (sum(from_count * weight) + 1)::double as rate,
        sum((from_count * weight::double * (log_odds - season))::decimal(28, 9))::double
        / nullif(sum(from_count * weight) filter (where log_odds is not null), 0)::double as level,
        sum((from_count * weight::double * power(log_odds - season, 2))::decimal(28, 9))::double
        / nullif(sum(from_count * weight) filter (where log_odds is not null), 0)::double as square
    from months
    left join outcome_months on outcome_months.month = months.month::varchar and outcome_months.step = months.step
    group by all
)

select
    step,
    flights,
    logit(rate) as log_odds,
    level,
    sqrt(greatest(0, square - level * level)) as spread
from network
