-- One row per origin, dest and carrier, with raw counts and recency-weighted rates shrunk toward route and carrier.
create or replace table marts.route_carrier_otp as
with
route_carriers as (
    select * from intermediate.int_route_carrier_priors
),

network as (
    select * from marts.network
),

shrunk as (
    select
        origin,
        dest,
        carrier,
        route_carriers.flight_count,
        completed_count,
        delayed_count,
        cancelled_count,
        delayed_min_sum,
        shrink(
            weighted_delayed_count, weighted_completed_count, delayed_prior, network.prior_flights
        ) as delayed_rate,
        shrink(
            weighted_cancelled_count, weighted_flight_count, cancelled_prior, network.cancelled_prior_flights
        ) as cancelled_rate
    from route_carriers
    cross join network
    order by origin, dest, carrier
)

select * from shrunk
