-- One row per series and day near a holiday, with the log-odds of delay on this day relative to its month and weekday.
-- A series is a daily series of the seed, or the dated flights of the loaded months in one country ('loaded'). Values
-- are rounded, because the last bit of a sum of fractions depends on the order of the rows.
--   holiday: name of the holiday
--   days: days from the holiday, -5 to 5; -1 is the day before
--   series: name of the series
--   log_odds: log-odds of delay on that day, relative to its month and weekday
--   variance: variance of the log-odds of a usual day of the series
create or replace table intermediate.int_holiday_evidence as
with
loaded_months as (
    select distinct date_trunc('month', flight_date) as month from raw.airport_days
),

loaded_days as (
    select
        calendar_days.country_code,
        calendar_days.flight_date,
        windows.holiday,
        windows.days,
        calendar_days.log_odds - avg(calendar_days.log_odds) filter (windows.days is null) over (
            partition by calendar_days.country_code, isodow(calendar_days.flight_date)
        ) as log_odds
    from intermediate.int_calendar_days as calendar_days
    inner join loaded_months on loaded_months.month = date_trunc('month', calendar_days.flight_date)
    left join intermediate.int_holiday_windows as windows using (country_code, flight_date)
),

loaded as (
    select
        country_code,
        holiday,
        days,
        flight_date,
        'loaded' as series,
        round(log_odds, 9) as log_odds,
        round(var_samp(log_odds) filter (days is null) over (partition by country_code), 9) as variance
    from loaded_days
),

evidence as (
    select
        country_code,
        holiday,
        days,
        flight_date,
        series,
        log_odds,
        variance
    from reference.holiday_evidence
    union all
    select * from loaded
    where days is not null and log_odds is not null and variance > 0
)

select * from evidence
order by all
