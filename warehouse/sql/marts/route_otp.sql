-- One row per route, with raw counts of all carriers and recency-weighted rates. The rates are shrunk toward a prior,
-- the rate that the airports of the route suggest. In log-odds, the prior is the network's log-odds plus the
-- differences of origin and dest from the network.
create or replace table marts.route_otp as
with
route_carriers as (
    select * from intermediate.int_route_carrier_counts
),

network as (
    select * from intermediate.int_network_rates
),

group_rates as (
    select * from marts.group_rates
),

counts as (
    select
        origin,
        dest,
        sum(flight_count)::bigint as flight_count,
        sum(completed_count)::bigint as completed_count,
        sum(delayed_count)::bigint as delayed_count,
        sum(cancelled_count)::bigint as cancelled_count,
        sum(delayed_min_sum)::bigint as delayed_min_sum,
        sum(weighted_flight_count) as weighted_flight_count,
        sum(weighted_completed_count) as weighted_completed_count,
        sum(weighted_delayed_count) as weighted_delayed_count,
        sum(weighted_cancelled_count) as weighted_cancelled_count
    from route_carriers
    group by all
),

with_prior as (
    select
        counts.*,
        expit(
            logit(origins.delayed_rate) + logit(dests.delayed_rate) - logit(network.delayed_rate)
        ) as delayed_prior,
        expit(
            logit(origins.cancelled_rate) + logit(dests.cancelled_rate) - logit(network.cancelled_rate)
        ) as cancelled_prior
    from counts
    inner join group_rates as origins on origins.kind = 'origin' and origins.code = counts.origin
    inner join group_rates as dests on dests.kind = 'dest' and dests.code = counts.dest
    cross join network
),

strength as (
    select
        prior_strength(delayed_count, completed_count, delayed_prior) as delayed_strength,
        prior_strength(cancelled_count, flight_count, cancelled_prior) as cancelled_strength
    from with_prior
),

shrunk as (
    select
        origin,
        dest,
        flight_count,
        completed_count,
        delayed_count,
        cancelled_count,
        delayed_min_sum,
        shrink(weighted_delayed_count, weighted_completed_count, delayed_prior, delayed_strength) as delayed_rate,
        shrink(weighted_cancelled_count, weighted_flight_count, cancelled_prior, cancelled_strength) as cancelled_rate
    from with_prior
    cross join strength
    order by origin, dest
)

select * from shrunk
