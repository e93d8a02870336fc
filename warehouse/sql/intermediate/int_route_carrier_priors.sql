-- One row per origin, dest and carrier, with the counts of that airline-route and the rates that the route and the
-- carrier suggest.
--   delayed_prior: delayed_rate suggested by route and carrier
--   cancelled_prior: cancelled_rate suggested by route and carrier
create or replace table intermediate.int_route_carrier_priors as
with
route_carriers as (
    select * from intermediate.int_route_carrier_counts
),

network as (
    select * from intermediate.int_network_rates
),

routes as (
    select * from marts.route_otp
),

carriers as (
    select * from marts.group_rates
    where kind = 'carrier'
),

with_prior as (
    select
        route_carriers.*,
        expit(
            logit(routes.delayed_rate) + logit(carriers.delayed_rate) - logit(network.delayed_rate)
        ) as delayed_prior,
        expit(
            logit(routes.cancelled_rate) + logit(carriers.cancelled_rate) - logit(network.cancelled_rate)
        ) as cancelled_prior
    from route_carriers
    inner join routes using (origin, dest)
    inner join carriers on carriers.code = route_carriers.carrier
    cross join network
)

select * from with_prior
