-- One row per origin, dest, carrier and scheduled local departure hour: how much of the airline-route's flights leave then.
-- Recent months weigh more. Flights of sources without hours are left out; shares of an airline-route add up to 1.
create or replace table marts.departure_hours as
with
route_hours as (
    select * from raw.route_hours
),

weights as (
    select * from intermediate.int_month_weights
),

by_hour as (
    select
        route_hours.origin,
        route_hours.dest,
        route_hours.carrier,
        route_hours.crs_dep_hour as local_hour,
        sum(route_hours.flight_count * weights.weight) as weighted_flight_count
    from route_hours
    inner join weights using (month)
    where route_hours.crs_dep_hour is not null
    group by all
    having sum(route_hours.flight_count) > 0
),

shares as (
    select
        origin,
        dest,
        carrier,
        local_hour,
        round(
            weighted_flight_count::double
            / sum(weighted_flight_count) over (partition by origin, dest, carrier)::double,
            6
        ) as share
    from by_hour
    order by origin, dest, carrier, local_hour
)

select * from shares
