-- One row per airport, month of the year, ISO weekday and local hour, with the scheduled movements (departures and
-- arrivals) in that hour of such a day. Values are rounded, because a seventh has no exact binary fraction.
--   daily_movements: scheduled departures and arrivals in that hour of such a day
create or replace table intermediate.int_airport_hour_traffic as
with
-- If a month has no dates, each weekday gets one seventh of the month's movements, scaled by the usual traffic of that
-- weekday.
by_weekday as (
    select
        loads.airport,
        loads.month_of_year,
        traffic.weekday,
        loads.local_hour,
        case when loads.weekday is null then traffic.ratio / 7 else 1 end * loads.movement_sum as movement_sum
    from intermediate.int_airport_hour_loads as loads
    inner join intermediate.int_weekday_traffic as traffic
        on loads.weekday is null or loads.weekday = traffic.weekday
),

hour_sums as (
    select
        airport,
        month_of_year,
        weekday,
        local_hour,
        sum(movement_sum) as movement_sum
    from by_weekday
    group by all
),

-- The number of days by which the sum is divided. The days of months in which the hour has no flights are included.
day_kinds as (
    select distinct
        airport,
        month_of_year,
        weekday,
        day_sum
    from intermediate.int_airport_hour_loads
),

day_sums as (
    select
        day_kinds.airport,
        day_kinds.month_of_year,
        traffic.weekday,
        sum(case when day_kinds.weekday is null then 1 / 7 else 1 end * day_kinds.day_sum) as day_sum
    from day_kinds
    inner join intermediate.int_weekday_traffic as traffic
        on day_kinds.weekday is null or day_kinds.weekday = traffic.weekday
    group by all
),

daily as (
    select
        hour_sums.airport,
        hour_sums.month_of_year,
        hour_sums.weekday,
        hour_sums.local_hour,
        round(hour_sums.movement_sum / day_sums.day_sum, 6) as daily_movements
    from hour_sums
    inner join day_sums using (airport, month_of_year, weekday)
)

select * from daily
