-- One row per operator, origin, dest, year and brand, for months whose source names only operators. The rows have the
-- brands for which the operator probably flew. They are inferred from flights with a known brand on the same route (in
-- either direction) and at the same airports. Nearer years have more weight. If no such flight is known at both
-- airports, there is no row, and the operator is its own brand. Weights are summed as decimals, because sums of
-- decimals do not depend on the order of the rows.
--   share: estimated share of the operator's flights on the route that the brand sells, 0 to 1
--   confidence: probability that the likeliest brand of the route and year is right, 0 to 1
--   year: year of the flights
create or replace table marts.brand_shares as
with
settings as (
    select
        -- Half-life of evidence: after this number of years, a flight has half its weight.
        1.0 as half_life,
        -- Maximum evidence of one route in one year, in flights. All its flights follow one contract, so more flights
        -- add hardly any evidence.
        10.0 as saturation,
        -- Weight of the brands at the two airports, compared with the weight of flights on the route itself.
        0.5 as prior_weight
),

loaded as (
    select
        carrier,
        brand,
        origin,
        dest,
        year(month) as year,
        sum(flight_count) as flight_count
    from raw.route_hours
    where brand is not null
    group by all
),

-- Flights with a known brand: the evidence shipped with the code, and the loaded months.
known as (
    select
        carrier,
        brand,
        origin,
        dest,
        year,
        flight_count
    from reference.brand_flights
    union all
    select
        carrier,
        brand,
        origin,
        dest,
        year,
        flight_count
    from loaded
),

partners as (
    select distinct carrier
    from known
    where carrier <> brand
),

-- Both directions of a route are evidence for each other, because a plane flies back for the same brand.
evidence as (
    select
        carrier,
        brand,
        year,
        least(origin, dest) as end_a,
        greatest(origin, dest) as end_b,
        sum(flight_count) as flight_count
    from known
    semi join partners using (carrier)
    group by all
),

targets as (
    select distinct
        carrier,
        origin,
        dest,
        least(origin, dest) as end_a,
        greatest(origin, dest) as end_b,
        year(month) as year
    from raw.route_hours
    semi join partners using (carrier)
    where brand is null
),

years as (
    select distinct year from targets
),

weighted as (
    select
        evidence.carrier,
        evidence.brand,
        years.year,
        evidence.end_a,
        evidence.end_b,
        (
            (flight_count / (1 + flight_count / saturation)) * power(0.5, abs(years.year - evidence.year) / half_life)
        )::decimal(18, 9) as weight
    from evidence
    cross join years
    cross join settings
),

routes as (
    select
        carrier,
        brand,
        year,
        end_a,
        end_b,
        sum(weight) as weight
    from weighted
    group by all
),

ends as (
    select
        carrier,
        brand,
        year,
        unnest([end_a, end_b]) as airport,
        weight
    from weighted
),

airports as (
    select
        carrier,
        brand,
        year,
        airport,
        sum(weight) as weight
    from ends
    group by all
),

operators as (
    select
        carrier,
        brand,
        year,
        sum(weight) / sum(sum(weight)) over (partition by carrier, year) as share
    from weighted
    group by carrier, brand, year
),

known_airports as (
    select distinct airport from ends
),

-- `affinity` is high if the operator flies for a brand more often at the two airports of the route than elsewhere.
candidates as (
    select
        targets.*,
        operators.brand,
        coalesce(routes.weight, 0) as route_weight,
        (
            (coalesce(at_origin.weight, 0)::double + operators.share) * (coalesce(at_dest.weight, 0)::double + operators.share)
            / operators.share
        )::decimal(38, 9) as affinity
    from targets
    inner join operators using (carrier, year)
    semi join known_airports as origins on origins.airport = targets.origin
    semi join known_airports as dests on dests.airport = targets.dest
    left join routes
        on routes.carrier = targets.carrier and routes.year = targets.year and routes.brand = operators.brand
        and routes.end_a = targets.end_a and routes.end_b = targets.end_b
    left join airports as at_origin
        on at_origin.carrier = targets.carrier and at_origin.year = targets.year
        and at_origin.brand = operators.brand and at_origin.airport = targets.origin
    left join airports as at_dest
        on at_dest.carrier = targets.carrier and at_dest.year = targets.year
        and at_dest.brand = operators.brand and at_dest.airport = targets.dest
),

shares as (
    select
        carrier,
        origin,
        dest,
        year::smallint as year,
        brand,
        (
            (route_weight::double + prior_weight * affinity::double / (sum(affinity) over same_route)::double)
            / ((sum(route_weight) over same_route)::double + prior_weight)
        )::decimal(18, 9) as share
    from candidates
    cross join settings
    window same_route as (partition by carrier, origin, dest, year)
),

-- Small shares are removed: they mostly reflect the uncertainty of a large share, and would show a brand that does not
-- fly the route.
likely as (
    select
        *,
        max(share) over (partition by carrier, origin, dest, year) as confidence
    from shares
    qualify share >= 0.1 or share = confidence
),

brand_shares as (
    select
        carrier,
        origin,
        dest,
        year,
        brand,
        round(share / sum(share) over (partition by carrier, origin, dest, year), 6) as share,
        round(confidence, 6)::double as confidence
    from likely
    order by carrier, origin, dest, year, brand
)

select * from brand_shares
