-- One row per airline and airport of arrival, numbered from 0, with scheduled and diverted flights by half-year. The
-- counts come from the delay-cause table. If the lake does not have this table, they come from the flights of those
-- months in which the source marks diversions.
create or replace temp table outcome_arrivals as
with
marked_months as (
    select month
    from raw.route_hours
    group by all
    having sum(diverted_count) > 0
),

flights as (
    select
        month,
        carrier,
        airport as dest,
        arr_flights as flight_count,
        arr_diverted as diverted_count
    from raw.delay_causes
    where arr_flights > 0
    union all
    select
        month,
        carrier,
        dest,
        sum(flight_count) as flight_count,
        sum(diverted_count) as diverted_count
    from raw.route_hours
    inner join marked_months using (month)
    where not exists (select * from raw.delay_causes)
    group by all
),

weighted as (
    select
        carrier,
        dest,
        half_year(month) as half_year,
        flight_count,
        diverted_count,
        season_depth(month) as season_depth,
        level_weight(date_diff('month', middle_of(month), max(middle_of(month)) over ())) as weight
    from flights
),

counted as (
    select
        carrier,
        dest,
        half_year,
        sum(flight_count * weight * season_depth) as seasonal_count,
        sum(flight_count * weight) as from_count,
        sum(diverted_count * weight) as step_count
    from weighted
    group by all
)

select
    (dense_rank() over (order by carrier, dest) - 1)::integer as route,
    *
from counted
