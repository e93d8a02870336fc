-- One row per day around a holiday, such as three days after Thanksgiving, with at least three years of evidence. The
-- effect is the mean over the years in a random effects meta-analysis (DerSimonian and Laird). A year counts as one
-- observation, with the variance of its most precise series, because the regions of a country share the weather of the
-- day. The mean is shrunk toward 0. The shrinkage depends on the standard error of the mean, compared with the
-- differences between all such days of the country. An effect of less than 2.5 standard errors is set to 0. By chance
-- alone, one effect in eighty exceeds this limit.
-- Scores use three quarters of an effect, because years and regions differ. With this share, the forecasts of an
-- average year are nearly as good as with the whole effect, and the forecasts of fewer years become worse. To compare
-- the shares, `npm run fit -- holiday-evidence` sets the variable `holiday_share` to 1.
--   holiday: name of the holiday
--   days: days from the holiday, -5 to 5; -1 is the day before
--   year_count: years of evidence
--   mean: mean over the years, in log-odds relative to the month and weekday
--   standard_error: standard error of the mean
--   between_years: standard deviation of the effect between years, without the noise of single days
--   log_odds: effect that scores use
create or replace table marts.holiday_effects as
with
evidence as (
    select * from intermediate.int_holiday_evidence
),

years as (
    select
        country_code,
        holiday,
        days,
        year(flight_date) as year,
        sum(log_odds / variance) / sum(1 / variance) as log_odds,
        min(variance) as variance
    from evidence
    group by all
),

fixed_means as (
    select
        country_code,
        holiday,
        days,
        count(*) as year_count,
        sum(log_odds / variance) / sum(1 / variance) as mean,
        sum(1 / variance) - sum(1 / variance / variance) / sum(1 / variance) as spread_weight
    from years
    group by all
    having count(*) >= 3
),

between_years as (
    select
        fixed_means.country_code,
        fixed_means.holiday,
        fixed_means.days,
        any_value(fixed_means.year_count) as year_count,
        greatest(
            0,
            (
                sum((years.log_odds - fixed_means.mean) ** 2 / years.variance)
                - any_value(fixed_means.year_count) + 1
            ) / any_value(fixed_means.spread_weight)
        ) as variance
    from fixed_means
    inner join years using (country_code, holiday, days)
    group by all
),

means as (
    select
        country_code,
        holiday,
        days,
        any_value(between_years.year_count) as year_count,
        sum(years.log_odds / (years.variance + between_years.variance))
        / sum(1 / (years.variance + between_years.variance)) as mean,
        sqrt(1 / sum(1 / (years.variance + between_years.variance))) as standard_error,
        sqrt(any_value(between_years.variance)) as between_years
    from between_years
    inner join years using (country_code, holiday, days)
    group by all
),

with_spread as (
    select
        *,
        greatest(0, avg(mean ** 2 - standard_error ** 2) over (partition by country_code)) as spread
    from means
),

settings as (
    select coalesce(getvariable('holiday_share'), 0.75)::double as share
),

rounded as (
    select
        country_code,
        holiday,
        days,
        year_count,
        round(mean, 6) as mean,
        round(standard_error, 6) as standard_error,
        round(between_years, 6) as between_years,
        case
            when abs(mean) >= 2.5 * standard_error
                then round(settings.share * mean * spread / (spread + standard_error ** 2), 6)
            else 0
        end as log_odds
    from with_spread
    cross join settings
    order by all
)

select * from rounded
