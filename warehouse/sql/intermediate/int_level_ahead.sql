-- One row per month of the year: what the network's level is to be expected to be, in log-odds of a flight being late by
-- more than 30 minutes, but for a constant. No rows where the table does not know twelve usual months in a row.
-- A season is how the month differs from its own twelve, counted back from the newest: so each twelve weigh every month once,
-- and a level that moves is no season. Of n years n / (n + 1) is believed.
-- base: usual months without their season, half as much every 12 months. Why 12, and 1.2: docs/model.md.
create or replace table intermediate.int_level_ahead as
with
months as (
    select
        month,
        is_usual,
        -- Where flights of 2018 and 2024 tell both, log-odds past 30 minutes move by 1.2 of those past 15.
        1.2 * log_odds as log_odds,
        date_diff('month', month, max(month) over ()) as age
    from intermediate.int_level_months
),

beyond_year as (
    select
        month(month) as level,
        log_odds - avg(log_odds) over (partition by age // 12) as log_odds
    from months
    qualify count(*) filter (where is_usual) over (partition by age // 12) = 12
),

seasons as (
    select
        level,
        avg(log_odds) * count(*) / (count(*) + 1) as season
    from beyond_year
    group by all
),

bases as (
    select
        sum((months.log_odds - seasons.season) * power(0.5, months.age / 12))
        / sum(power(0.5, months.age / 12)) as base
    from months
    inner join seasons on seasons.level = month(months.month)
    where months.is_usual
),

ahead as (
    select
        seasons.level,
        round(seasons.season, 9) as season,
        round(bases.base, 9) as base
    from seasons
    cross join bases
    order by seasons.level
)

select * from ahead
