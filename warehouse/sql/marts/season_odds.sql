-- One row per kind and level, with odds of delay relative to the average day; 1 is average.
-- Months: if levels of the network are known (`int_level_ahead`), the odds come from these levels. Otherwise actual
-- delays are compared with the delays expected on the airline-routes flown in the month, so that a different mix of
-- flights has no effect. In a single year, weather causes half of the difference between a month and the average month.
-- With n years of a month, the difference is therefore multiplied by n / (n + 1): one half for one year, two thirds for
-- two years, ten elevenths for ten years.
-- Weekdays: the odds come from means of daily log-odds and are shrunk toward the average day. They are shrunk less if
-- the means vary much more than noise explains; one standard error is subtracted as a margin. docs/features.md has the
-- results on held-out days.
-- Values are rounded, because the last bit of a sum of fractions depends on the order of the rows.
--   kind: month or weekday
--   level: 1 to 12 for a month; 1 (Monday) to 7 (Sunday) for a weekday
--   odds: odds of delay relative to the average day
create or replace table marts.season_odds as
with
weights as (
    select * from intermediate.int_month_weights
    where not is_year(month)
),

route_months as (
    select
        month(route_hours.month) as level,
        route_hours.origin,
        route_hours.dest,
        route_hours.carrier,
        sum(route_hours.completed_count * weights.weight) as completed_count,
        sum(route_hours.delayed_count * weights.weight) as delayed_count
    from raw.route_hours
    inner join weights using (month)
    group by all
),

years as (
    select
        month(month) as level,
        count(*) as year_count
    from weights
    group by all
),

route_carriers as (
    select * from marts.route_carrier_otp
),

calendar_days as (
    select * from intermediate.int_calendar_days
),

month_counts as (
    select
        route_months.level,
        any_value(years.year_count) as year_count,
        sum(route_months.completed_count) as completed_count,
        sum(route_months.delayed_count) as delayed_count,
        sum(route_months.completed_count * route_carriers.delayed_rate) as expected_count
    from route_months
    inner join years using (level)
    inner join route_carriers using (origin, dest, carrier)
    group by all
),

-- Prefer the levels: eight years of levels show a season better than the flights of one or two years.
months_of_levels as (
    select
        'month' as kind,
        level,
        exp(delayed_by_late(season)) as odds
    from intermediate.int_level_ahead
),

months_of_flights as (
    select
        'month' as kind,
        level,
        power(
            odds((delayed_count + 0.5) / (completed_count + 1))
            / odds((expected_count + 0.5) / (completed_count + 1)),
            year_count / (year_count + 1)
        ) as odds
    from month_counts
    where not exists (from months_of_levels)
),

day_levels as (
    select
        'weekday' as kind,
        isodow(flight_date) as level,
        log_odds
    from calendar_days
),

level_means as (
    select
        kind,
        level,
        avg(log_odds) as mean,
        count(*) as day_count,
        coalesce(var_samp(log_odds), 0) as variance
    from day_levels
    group by all
),

noises as (
    select
        kind,
        sum(variance * (day_count - 1)) / greatest(1, sum(day_count - 1)) as noise
    from level_means
    group by all
),

-- The standard error of the variance of k means is `sqrt(2 / (k - 1))` times the variance that noise alone causes.
kinds as (
    select
        kind,
        any_value(noises.noise) as noise,
        greatest(
            0,
            coalesce(var_samp(mean), 0)
            - any_value(noises.noise) * avg(1 / level_means.day_count)
            * (1 + sqrt(2 / greatest(1, count(*) - 1)))
        ) as spread
    from level_means
    inner join noises using (kind)
    group by kind
),

day_odds as (
    select
        level_means.kind,
        level_means.level,
        exp(
            level_means.mean * kinds.spread
            / greatest(1e-9, kinds.spread + kinds.noise / level_means.day_count)
        ) as odds
    from level_means
    inner join kinds using (kind)
),

all_levels as (
    select * from months_of_levels
    union all
    select * from months_of_flights
    union all
    select * from day_odds
),

rounded as (
    select
        kind,
        level,
        round(odds, 9) as odds
    from all_levels
    order by kind, level
)

select * from rounded
