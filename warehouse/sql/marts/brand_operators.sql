-- One row per origin, dest, brand and operator. A brand has rows on a route only if it sells flights of another
-- operator there. For sums over routes and airlines, use route_carrier_otp: it has the flights of every operator
-- exactly once.
--   carrier: operator, IATA code
--   flight_count: scheduled flights of the operator that the brand sells, including cancelled and diverted flights
--   delayed_rate: the operator's rate on the route, as in route_carrier_otp
--   cancelled_rate: the operator's rate on the route, as in route_carrier_otp
--   share: the operator's share of the brand's flights on the route, 0 to 1; recent months have more weight
--   inferred_share: share of the flights in flight_count that have an inferred brand, 0 to 1
--   confidence: probability that a flight with an inferred brand has the right brand, 0 to 1; null without such flights
create or replace table marts.brand_operators as
with
operators as (
    select
        origin,
        dest,
        brand,
        carrier,
        round(sum(flight_count))::bigint as flight_count,
        round(sum(completed_count))::bigint as completed_count,
        round(sum(delayed_count))::bigint as delayed_count,
        round(sum(cancelled_count))::bigint as cancelled_count,
        round(sum(delayed_min_sum))::bigint as delayed_min_sum,
        sum(weighted_flight_count) as weighted_flight_count,
        sum(inferred_count) / sum(flight_count) as inferred_share,
        sum(right_count) / nullif(sum(inferred_count), 0) as confidence,
        min(first_month) as first_month,
        max(last_month) as last_month
    from intermediate.int_brand_hours
    group by all
),

with_share as (
    select
        operators.* exclude (weighted_flight_count, inferred_share, confidence),
        round(inferred_share, 4)::double as inferred_share,
        round(confidence, 4)::double as confidence,
        round(weighted_flight_count / sum(weighted_flight_count) over same_brand, 6)::double as share
    from operators
    where flight_count > 0
    window same_brand as (partition by origin, dest, brand)
),

with_rates as (
    select
        with_share.*,
        otp.delayed_rate,
        otp.cancelled_rate
    from with_share
    inner join marts.route_carrier_otp as otp using (origin, dest, carrier)
    order by origin, dest, brand, carrier
)

select * from with_rates
