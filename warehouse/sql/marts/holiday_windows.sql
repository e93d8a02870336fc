-- One row per country and date within 3 days of a public holiday; `days` has a sign, so -1 is the day before the
-- holiday. A date between two holidays belongs to the nearer holiday, or to the later holiday if both are equally near.
--   flight_date: the date
--   days: days from the holiday, -3 to 3; -1 is the day before
create or replace table marts.holiday_windows as
with
holidays as (
    select * from reference.holidays
),

nearby_dates as (
    select
        country_code,
        holiday_date,
        unnest(range(-3, 4)) as days
    from holidays
),

windows as (
    select
        country_code,
        (holiday_date + days::integer) as flight_date,
        arg_min(days, abs(days) * 2 + (days > 0)::integer)::tinyint as days
    from nearby_dates
    group by all
    order by all
)

select * from windows
