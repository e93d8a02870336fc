-- One row per airport, month of the year and scheduled local departure hour.
-- congestion = (departures per day / the airport's busiest hour) * (log size of that hour / log size of the busiest anywhere):
-- 1 is the busiest hour of the busiest airport. It rises with the hour's load and with the airport's size.
-- Departures stand for all movements: the history gives local arrival hours for too few flights.
create or replace table marts.airport_hour_congestion as
with
route_hours as (
    select * from raw.route_hours
),

loads as (
    select
        origin as airport,
        month(month)::tinyint as month_of_year,
        crs_dep_hour as local_hour,
        sum(flight_count) as flight_count
    from route_hours
    where crs_dep_hour is not null
    group by all
),

-- An airport's days are those of the months it appears in, so that a partial history does not look quiet.
airport_months as (
    select distinct
        origin as airport,
        month
    from route_hours
    where crs_dep_hour is not null
),

days as (
    select
        airport,
        month(month)::tinyint as month_of_year,
        sum(day(last_day(month))) as day_count
    from airport_months
    group by all
),

daily as (
    select
        loads.airport,
        loads.month_of_year,
        loads.local_hour,
        loads.flight_count / days.day_count as daily_departures
    from loads
    inner join days using (airport, month_of_year)
),

peaks as (
    select
        airport,
        max(daily_departures) as peak_departures
    from daily
    group by all
),

scaled as (
    select
        daily.airport,
        daily.month_of_year,
        daily.local_hour,
        daily.daily_departures,
        daily.daily_departures / peaks.peak_departures
        * ln(1 + peaks.peak_departures) / ln(1 + max(peaks.peak_departures) over ()) as congestion
    from daily
    inner join peaks using (airport)
    order by all
)

select * from scaled
