-- One row per airline-route, scheduled local departure hour and half-year, with three columns for each step between
-- delays. `…_flights` counts the flights that could take the step, and `…_took` the flights that took it. `…_odds` is
-- the level of the step in the months of the flights, as log-odds. Recent flights have more weight. All steps are in
-- one query, so that the counts are read only once.
with
levels as (
    select
        month::date as month,
        any_value(expit(log_odds)) filter (where step = 'late15') as late15_rate,
        any_value(expit(log_odds)) filter (where step = 'late60') as late60_rate,
        any_value(expit(log_odds)) filter (where step = 'late120') as late120_rate,
        any_value(expit(log_odds)) filter (where step = 'late180') as late180_rate,
        any_value(expit(log_odds)) filter (where step = 'late360') as late360_rate
    from outcome_months
    group by all
),

counted as (
    select
        route,
        local_hour,
        half_year,
        sum(late15_from * weight) as late15_from,
        sum(late15_count * weight) as late15_count,
        sum((late15_from * weight::double * late15_rate)::decimal(28, 9)) as late15_expected,
        sum(late60_from * weight) as late60_from,
        sum(late60_count * weight) as late60_count,
        sum((late60_from * weight::double * late60_rate)::decimal(28, 9)) as late60_expected,
        sum(late120_from * weight) as late120_from,
        sum(late120_count * weight) as late120_count,
        sum((late120_from * weight::double * late120_rate)::decimal(28, 9)) as late120_expected,
        sum(late180_from * weight) as late180_from,
        sum(late180_count * weight) as late180_count,
        sum((late180_from * weight::double * late180_rate)::decimal(28, 9)) as late180_expected,
        sum(late360_from * weight) as late360_from,
        sum(late360_count * weight) as late360_count,
        sum((late360_from * weight::double * late360_rate)::decimal(28, 9)) as late360_expected
    from outcome_counts
    inner join levels using (month)
    group by all
)

select
    route,
    local_hour as hour,
    (half_year = 'S')::integer as summer,
    late15_from::double as late15_flights,
    late15_count::double as late15_took,
    round(bounded_logit(late15_expected::double / late15_from::double), 9) as late15_odds,
    late60_from::double as late60_flights,
    late60_count::double as late60_took,
    round(bounded_logit(late60_expected::double / late60_from::double), 9) as late60_odds,
    late120_from::double as late120_flights,
    late120_count::double as late120_took,
    round(bounded_logit(late120_expected::double / late120_from::double), 9) as late120_odds,
    late180_from::double as late180_flights,
    late180_count::double as late180_took,
    round(bounded_logit(late180_expected::double / late180_from::double), 9) as late180_odds,
    late360_from::double as late360_flights,
    late360_count::double as late360_took,
    round(bounded_logit(late360_expected::double / late360_from::double), 9) as late360_odds
from counted
order by route, half_year, local_hour
