-- One row per ISO weekday, with the flights on such a day relative to the average day of the same airport and month.
-- These ratios spread the flights of months without dates over the week. If no month has dates, every weekday is
-- average. Values are rounded, because the last bit of a sum of fractions depends on the order of the rows.
--   weekday: ISO, 1 Monday to 7 Sunday
--   ratio: 1 is the average day
create or replace table intermediate.int_weekday_traffic as
with
weekdays as (
    select unnest(range(1, 8))::tinyint as weekday
),

airport_days as (
    select * from intermediate.int_airport_days
),

days as (
    select
        isodow(flight_date)::tinyint as weekday,
        flight_count,
        avg(flight_count) over (partition by airport, date_trunc('month', flight_date)) as average_count
    from airport_days
),

ratios as (
    select
        weekday,
        sum(flight_count) / sum(average_count) as ratio
    from days
    group by all
),

traffic as (
    select
        weekdays.weekday,
        coalesce(round(ratios.ratio, 6), 1) as ratio
    from weekdays
    left join ratios using (weekday)
    order by all
)

select * from traffic
