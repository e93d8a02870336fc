-- One row per country and date within 5 days of a holiday. A date between two holidays belongs to the nearer holiday,
-- or to the later holiday if both are equally near.
--   flight_date: the date
--   holiday: name of the holiday
--   days: days from the holiday, -5 to 5; -1 is the day before
create or replace table intermediate.int_holiday_windows as
with
holidays as (
    select * from reference.holidays
),

nearby_dates as (
    select
        country_code,
        holiday,
        (holiday_date + days::integer) as flight_date,
        days
    from holidays
    cross join (select unnest(range(-5, 6)) as days)
),

windows as (
    select
        country_code,
        flight_date,
        arg_min(holiday, abs(days) * 2 + (days > 0)::integer) as holiday,
        arg_min(days, abs(days) * 2 + (days > 0)::integer)::tinyint as days
    from nearby_dates
    group by all
    order by all
)

select * from windows
