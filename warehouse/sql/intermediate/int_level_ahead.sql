-- One row per month of the year, with the expected level of the network: log-odds of being 15 minutes late or more. The
-- expected level is `base + season`. There are no rows if the delay-cause table does not have twelve usual months in a
-- row.
-- `season` is how a month differs from the mean of its year. Years are blocks of twelve months, counted back from the
-- newest month. Each block has every month of the year once, so a trend over the years does not look like a season.
-- With n years, a season is multiplied by n / (n + 0.3).
-- `base` is the mean of the usual months after their seasons are subtracted. The weight of a month halves every 8
-- months. docs/model.md has the reasons for 0.3 and 8.
--   level: month of the year, 1 to 12
--   season: log-odds relative to the base
--   base: log-odds of a usual month
create or replace table intermediate.int_level_ahead as
with
months as (
    select
        month,
        is_usual,
        log_odds,
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
        avg(log_odds) * count(*) / (count(*) + 0.3) as season
    from beyond_year
    group by all
),

bases as (
    select
        sum((months.log_odds - seasons.season) * power(0.5, months.age / 8)) / sum(power(0.5, months.age / 8)) as base
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
