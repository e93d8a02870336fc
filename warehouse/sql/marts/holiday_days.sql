-- One row per country and date whose odds of delay differ from those of its month because of holidays. The odds of a
-- month already include its holidays, so the effects of the month's days must add up to 0: if the days around holidays
-- raise the odds, the other days of the month lower them. A day near such a holiday has only its own effect, even if
-- this effect is 0.
--   flight_date: the date
--   name: name of the day, such as Thanksgiving Sunday; empty for the other days of a month with effects
--   log_odds: log-odds of delay relative to the month and weekday
create or replace table marts.holiday_days as
with
windows as (
    select * from intermediate.int_holiday_windows
),

effects as (
    select * from marts.holiday_effects
),

active_holidays as (
    select distinct
        country_code,
        holiday
    from effects
    where log_odds <> 0
),

-- `is_on_weekday` marks holidays, such as Thanksgiving, that are on the same weekday every year.
holidays as (
    select
        country_code,
        holiday,
        regexp_replace(holiday, ' (Day|Sunday)$', '') as short_name,
        count(distinct isodow(holiday_date)) = 1 as is_on_weekday
    from reference.holidays
    group by all
),

years as (
    select
        country_code,
        unnest(generate_series(min(year(holiday_date)), max(year(holiday_date)))) as year
    from reference.holidays
    where country_code in (select country_code from active_holidays)
    group by all
),

dates as (
    select
        country_code,
        unnest(generate_series(make_date(year, 1, 1), make_date(year, 12, 31), interval 1 day))::date as flight_date
    from years
),

days as (
    select
        dates.country_code,
        dates.flight_date,
        windows.holiday,
        windows.days,
        coalesce(effects.log_odds, 0) as effect,
        active_holidays.holiday is null as is_other
    from dates
    left join windows using (country_code, flight_date)
    left join active_holidays using (country_code, holiday)
    left join effects
        on effects.country_code = windows.country_code
        and effects.holiday = windows.holiday
        and effects.days = windows.days
),

balanced as (
    select
        *,
        case
            when is_other
                then -sum(effect) over (partition by country_code, month(flight_date))
                    / count(*) filter (is_other) over (partition by country_code, month(flight_date))
            else effect
        end as log_odds
    from days
),

named as (
    select
        balanced.country_code,
        balanced.flight_date,
        case
            when balanced.effect = 0 then ''
            when balanced.days = 0 then balanced.holiday
            when holidays.is_on_weekday and abs(balanced.days) <= 3 and isodow(balanced.flight_date) >= 5
                then holidays.short_name || ' ' || strftime(balanced.flight_date, '%A')
            else concat(
                case
                    when holidays.is_on_weekday then strftime(balanced.flight_date, '%A')
                    when abs(balanced.days) = 1 then 'the day'
                    else abs(balanced.days) || ' days'
                end,
                case when balanced.days < 0 then ' before ' else ' after ' end,
                balanced.holiday
            )
        end as name,
        round(balanced.log_odds, 6) as log_odds
    from balanced
    left join holidays using (country_code, holiday)
    order by balanced.country_code, balanced.flight_date
)

select * from named
where log_odds <> 0
