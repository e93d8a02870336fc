-- One row with the overall level, to which effects and seasons are added. At the level `log_odds`, rounded to 0.001,
-- the expected delays of the training flights equal their actual delays. Expected delays come from the effects and the
-- month of the year. If levels are known (`is_now`), `log_odds` is the current level, computed from the flights whose
-- level is known.
--   delayed_rate: share of the flights behind `log_odds` that were delayed, 0 to 1
--   is_now: whether the levels of today are known
--   calendar_days: days with dated flights, the basis of weekday and holiday odds
create or replace table marts.delay_level as
with
knowledge as (
    select coalesce(bool_or(is_leveled), false) as is_now
    from intermediate.int_learned_odds
),

flights as (
    select
        log_odds,
        completed_count,
        delayed_count
    from intermediate.int_learned_odds
    cross join knowledge
    where is_leveled or not is_now
),

totals as (
    select
        coalesce(sum(completed_count), 0) as completed_count,
        coalesce(sum(delayed_count), 0) as delayed_count
    from flights
),

-- Adds half a delayed flight and half a flight on time, so that the rate is never exactly 0 or 1.
rates as (
    select
        delayed_count,
        (delayed_count + 0.5) / (completed_count + 1) as delayed_rate
    from totals
),

-- Searches for the level within 2 of the rate's log-odds, first in steps of 0.05, then in steps of 0.001 around the
-- best.
twentieths as (
    select round(logit(rates.delayed_rate) + steps.step / 20, 3) as level
    from rates
    cross join range(-40, 41) as steps (step)
),

nearest_twentieth as (
    select twentieths.level
    from twentieths
    cross join rates
    left join flights on true
    group by twentieths.level, rates.delayed_count
    order by
        abs(coalesce(sum(flights.completed_count * expit(twentieths.level + flights.log_odds)), 0) - rates.delayed_count),
        abs(twentieths.level)
    limit 1
),

thousandths as (
    select round(nearest_twentieth.level + steps.step / 1000, 3) as level
    from nearest_twentieth
    cross join range(-50, 51) as steps (step)
),

nearest as (
    select thousandths.level
    from thousandths
    cross join rates
    left join flights on true
    group by thousandths.level, rates.delayed_count
    order by
        abs(coalesce(sum(flights.completed_count * expit(thousandths.level + flights.log_odds)), 0) - rates.delayed_count),
        abs(thousandths.level)
    limit 1
)

select
    nearest.level as log_odds,
    rates.delayed_rate,
    knowledge.is_now,
    (select count(distinct flight_date) from intermediate.int_calendar_days) as calendar_days
from nearest
cross join rates
cross join knowledge
