-- One row for the whole history. `prior_flights` is the n0 of `confidence = n / (n + n0)`: the number of flights that
-- the prior of an airline-route is worth. Like n, it comes from plain counts, because weights describe how well old
-- flights represent the present, not how much airline-routes differ.
--   month_count: months of history
--   prior_flights: the n0 of confidence = n / (n + n0)
--   cancelled_prior_flights: the n0 for cancellations
--   full_hour_log_odds: log-odds of delay that a congestion of 1 at one airport adds
create or replace table marts.network as
with
route_carriers as (
    select * from intermediate.int_route_carrier_priors
),

months as (
    select
        min(month) as first_month,
        max(month) as last_month,
        count(*) as month_count
    from marts.months
),

strengths as (
    select
        sum(flight_count)::bigint as flight_count,
        prior_strength(delayed_count, completed_count, delayed_prior) as prior_flights,
        prior_strength(cancelled_count, flight_count, cancelled_prior) as cancelled_prior_flights
    from route_carriers
),

-- Congestion is relative to the size class with the steepest slope.
growth as (
    select coalesce(max(slope), 0) as full_hour_log_odds
    from intermediate.int_load_growth
)

select
    months.first_month,
    months.last_month,
    months.month_count,
    strengths.flight_count,
    rates.delayed_rate,
    rates.cancelled_rate,
    strengths.prior_flights,
    strengths.cancelled_prior_flights,
    growth.full_hour_log_odds
from months
cross join strengths
cross join growth
cross join intermediate.int_network_rates as rates
