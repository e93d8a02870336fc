-- One row per month, airport, ISO weekday and local hour, with the scheduled movements and the delays of departures in
-- that hour. weekday is null if the source has neither date nor weekday; crs_arr_count is null if the source has no
-- arrival times. An arrival is on the day after flight_date if the clock time of the arrival is over three hours
-- earlier than the clock time of the departure. A smaller difference is due to time zones.
with
flights as (
    select * from flight_outcomes
    where month = $month::date
),

movements as (
    select
        month,
        origin as airport,
        weekday,
        (crs_dep_time // 100)::tinyint as local_hour,
        1 as departures,
        0 as arrivals,
        completed_delay_min,
        is_delayed
    from flights
    where crs_dep_time is not null
    union all
    select
        month,
        dest as airport,
        ((weekday - 1 + (crs_arr_time < crs_dep_time - 300)::integer) % 7 + 1)::tinyint as weekday,
        (crs_arr_time // 100)::tinyint as local_hour,
        0 as departures,
        1 as arrivals,
        null as completed_delay_min,
        null as is_delayed
    from flights
    where crs_arr_time is not null
),

has_arrivals as (
    select bool_or(crs_arr_time is not null) as known
    from flights
),

by_airport_hour as (
    select
        month,
        airport,
        weekday,
        local_hour,
        sum(departures)::integer as crs_dep_count,
        case when any_value(has_arrivals.known) then sum(arrivals)::integer end as crs_arr_count,
        count(completed_delay_min)::integer as completed_count,
        count(*) filter (where is_delayed)::integer as delayed_count
    from movements
    cross join has_arrivals
    group by month, airport, weekday, local_hour
)

select * from by_airport_hour
order by airport, weekday, local_hour
