-- One row per airport, month of the year, ISO weekday (null for months without weekdays) and local hour. `movement_sum
-- / day_sum` is the number of scheduled movements (departures and arrivals) in that hour on such a day. Recent months
-- have more weight in both sums.
-- If the source lists fewer than half as many arrivals as departures at an airport, its arrivals are incomplete. The
-- arrivals are then assumed to equal the departures. An airport without departures has no row. A month with under half
-- the departures of the same month of an earlier year is left out.
--   movement_sum: scheduled movements of all counted days; recent months have more weight
--   day_sum: number of counted days; recent months have more weight
create or replace table intermediate.int_airport_hour_loads as
with
airport_hours as (
    select * from raw.airport_hours
),

weights as (
    select * from intermediate.int_month_weights
),

-- If the source has dates, only the days in the source are counted. If all days of the month were counted, a file with
-- only a few days would seem to have few flights per day.
dated_days as (
    select
        date_trunc('month', flight_date) as month,
        isodow(flight_date)::tinyint as weekday,
        count(distinct flight_date) as day_count
    from raw.airport_days
    group by all
),

dated_months as (
    select distinct month
    from dated_days
),

month_days as (
    select distinct
        month,
        weekday
    from airport_hours
),

days as (
    select
        month_days.month,
        month_days.weekday,
        case
            when month_days.weekday is null then day(last_day(month_days.month))
            when dated_months.month is not null then coalesce(dated_days.day_count, 1)
            -- Number of days of each weekday in the month: four in the first 28 days, and one more if the weekday is
            -- among the days 29 to 31.
            else 4 + (
                (month_days.weekday - isodow(month_days.month) + 7) % 7 < day(last_day(month_days.month)) - 28
            )::integer
        end as day_count
    from month_days
    left join dated_months using (month)
    left join dated_days using (month, weekday)
),

month_lengths as (
    select
        month,
        sum(day_count) as day_count
    from days
    group by all
),

airport_months as (
    select
        airport_hours.airport,
        airport_hours.month,
        coalesce(sum(airport_hours.crs_arr_count), 0) < 0.5 * sum(airport_hours.crs_dep_count) as is_without_arrivals,
        sum(airport_hours.crs_dep_count) / any_value(month_lengths.day_count) as daily_departures
    from airport_hours
    inner join month_lengths using (month)
    group by all
    having sum(airport_hours.crs_dep_count) > 0
),

-- Leaves out unusual months: a source may have only a part of an airport's flights, and a pandemic stops flights.
usual_months as (
    select
        airport,
        month,
        is_without_arrivals
    from airport_months
    qualify daily_departures >= 0.5 * max(daily_departures) over (partition by airport, month(month) order by month)
),

day_sums as (
    select
        usual_months.airport,
        month(usual_months.month)::tinyint as month_of_year,
        days.weekday,
        sum(days.day_count * weights.weight) as day_sum
    from usual_months
    inner join days using (month)
    inner join weights using (month)
    group by all
),

hour_sums as (
    select
        airport_hours.airport,
        month(airport_hours.month)::tinyint as month_of_year,
        airport_hours.weekday,
        airport_hours.local_hour,
        sum(weights.weight * case
            when usual_months.is_without_arrivals then 2 * airport_hours.crs_dep_count
            else airport_hours.crs_dep_count + coalesce(airport_hours.crs_arr_count, 0)
        end) as movement_sum,
        sum(airport_hours.completed_count) as completed_count,
        sum(airport_hours.delayed_count) as delayed_count
    from airport_hours
    inner join usual_months using (airport, month)
    inner join weights using (month)
    group by all
),

loads as (
    select
        hour_sums.*,
        day_sums.day_sum
    from hour_sums
    inner join day_sums
        on day_sums.airport = hour_sums.airport
        and day_sums.month_of_year = hour_sums.month_of_year
        and day_sums.weekday is not distinct from hour_sums.weekday
)

select * from loads
