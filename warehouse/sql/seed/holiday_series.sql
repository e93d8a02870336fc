-- One row per series and day, with the number of flights, the number of flights 15 minutes late or more, and the
-- log-odds of such a delay that month and weekday predict. The series count delays of 15 minutes or more, not of more
-- than 30 minutes. Around holidays, the log-odds of both kinds of delay change by about the same amount. If a source
-- does not have arrivals, its departures are counted. Days with fewer than 30 flights and the pandemic year 2020 are
-- left out. The effects of weekdays, and `variance` (the variance of a usual day), come from the days that are not near
-- a holiday of the United States.
create or replace temp table holiday_series as
with
series_days as (
    select
        series,
        date as flight_date,
        if(arr15 is not null and arr_known > 0, arr_known, dep_known) as flights,
        if(arr15 is not null and arr_known > 0, arr15, dep15) as late
    from read_csv(getvariable('series_file'))
),

baltimore as (
    select
        'baltimore_2021' as series,
        make_date(year::integer, month::integer, day::integer) as flight_date,
        count(arr_delay) as flights,
        count(*) filter (where arr_delay >= 15) as late
    from read_parquet(getvariable('baltimore_file'))
    group by all
),

phoenix_houston as (
    select
        'phoenix_houston_2019_12' as series,
        FL_DATE::date as flight_date,
        count(ARR_DELAY) as flights,
        count(*) filter (where ARR_DELAY >= 15) as late
    from read_csv(getvariable('phoenix_houston_file'))
    group by all
),

all_days as (
    select * from series_days
    union all by name
    select * from baltimore
    union all by name
    select * from phoenix_houston
),

days as (
    select
        all_days.series,
        all_days.flight_date,
        all_days.flights,
        all_days.late,
        windows.holiday,
        windows.days,
        logit((all_days.late + 0.5) / (all_days.flights + 1)) as log_odds
    from all_days
    left join intermediate.int_holiday_windows as windows
        on windows.country_code = 'US' and windows.flight_date = all_days.flight_date
    where all_days.flights >= 30 and all_days.late is not null and year(all_days.flight_date) <> 2020
),

in_month as (
    select
        *,
        log_odds - avg(log_odds) over (partition by series, date_trunc('month', flight_date)) as beyond_month
    from days
),

weekdays as (
    select
        series,
        isodow(flight_date) as weekday,
        avg(beyond_month) filter (days is null) as log_odds,
        var_samp(beyond_month) filter (days is null) as variance,
        count(*) filter (days is null) as day_count
    from in_month
    group by all
),

series_weekdays as (
    select
        series,
        weekday,
        log_odds - avg(log_odds) over (partition by series) as log_odds,
        sum(variance * (day_count - 1)) over (partition by series)
        / sum(day_count - 1) over (partition by series) as variance
    from weekdays
)

select
    in_month.series,
    in_month.flight_date,
    in_month.flights,
    in_month.late,
    in_month.holiday,
    in_month.days,
    in_month.log_odds - in_month.beyond_month + series_weekdays.log_odds as usual_log_odds,
    round(in_month.beyond_month - series_weekdays.log_odds, 4) as log_odds,
    round(series_weekdays.variance, 4) as variance
from in_month
inner join series_weekdays
    on series_weekdays.series = in_month.series and series_weekdays.weekday = isodow(in_month.flight_date)
order by all
