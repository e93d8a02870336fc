-- One row per kind (origin, dest, carrier) and code, with rates shrunk toward the network's rate; recent months have
-- more weight. These rates form the priors of routes and airline-routes, and the score of a flight without history.
--   kind: origin, dest or carrier
--   code: code of the airport or airline
create or replace table marts.group_rates as
with
route_carriers as (
    select * from intermediate.int_route_carrier_counts
),

network as (
    select * from intermediate.int_network_rates
),

groups as (
    select
        unnest(['origin', 'dest', 'carrier']) as kind,
        unnest([origin, dest, carrier]) as code,
        flight_count,
        completed_count,
        delayed_count,
        cancelled_count,
        weighted_flight_count,
        weighted_completed_count,
        weighted_delayed_count,
        weighted_cancelled_count
    from route_carriers
),

counts as (
    select
        kind,
        code,
        sum(flight_count) as flight_count,
        sum(completed_count) as completed_count,
        sum(delayed_count) as delayed_count,
        sum(cancelled_count) as cancelled_count,
        sum(weighted_flight_count) as weighted_flight_count,
        sum(weighted_completed_count) as weighted_completed_count,
        sum(weighted_delayed_count) as weighted_delayed_count,
        sum(weighted_cancelled_count) as weighted_cancelled_count
    from groups
    group by all
),

strengths as (
    select
        kind,
        prior_strength(delayed_count, completed_count, delayed_rate) as delayed_strength,
        prior_strength(cancelled_count, flight_count, cancelled_rate) as cancelled_strength
    from counts
    cross join network
    group by all
),

shrunk as (
    select
        counts.kind,
        counts.code,
        shrink(weighted_delayed_count, weighted_completed_count, delayed_rate, delayed_strength) as delayed_rate,
        shrink(weighted_cancelled_count, weighted_flight_count, cancelled_rate, cancelled_strength) as cancelled_rate
    from counts
    inner join strengths using (kind)
    cross join network
    order by all
)

select * from shrunk
