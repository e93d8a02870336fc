-- One row per origin, dest, brand, operator and scheduled departure hour. A route has rows only if a brand sells
-- flights of another operator on it.
-- A flight belongs to the brand on its ticket. If the source names only the operator, a flight is divided among the
-- brands in brand_shares, according to their shares. Counts are sums of decimals, because a sum of doubles depends on
-- the order of the rows.
--   inferred_count: flights whose brand is inferred
--   right_count: number of flights whose inferred brand is expected to be right
create or replace table intermediate.int_brand_hours as
with
partner_routes as (
    select distinct
        origin,
        dest
    from raw.route_hours
    where carrier <> brand
    union
    select distinct
        origin,
        dest
    from marts.brand_shares
),

by_year as (
    select
        route_hours.origin,
        route_hours.dest,
        route_hours.carrier,
        route_hours.brand as ticket_brand,
        route_hours.crs_dep_hour,
        year(route_hours.month)::smallint as year,
        sum(route_hours.flight_count)::integer as flight_count,
        sum(route_hours.completed_count)::integer as completed_count,
        sum(route_hours.delayed_count)::integer as delayed_count,
        sum(route_hours.cancelled_count)::integer as cancelled_count,
        sum(route_hours.delayed_min_sum)::integer as delayed_min_sum,
        sum(route_hours.flight_count * weights.weight)::decimal(18, 6) as weighted_flight_count,
        min(route_hours.month) as first_month,
        max(route_hours.month) as last_month
    from raw.route_hours as route_hours
    semi join partner_routes using (origin, dest)
    inner join intermediate.int_month_weights as weights using (month)
    group by all
),

flights as (
    select
        by_year.*,
        coalesce(by_year.ticket_brand, shares.brand, by_year.carrier) as brand,
        coalesce(shares.share, 1)::decimal(7, 6) as part,
        shares.brand is not null as is_inferred
    from by_year
    left join marts.brand_shares as shares
        -- A condition on `by_year` alone would make DuckDB compare every pair of rows.
        on shares.carrier = if(by_year.ticket_brand is null, by_year.carrier, null)
        and shares.origin = by_year.origin
        and shares.dest = by_year.dest
        and shares.year = by_year.year
),

partners as (
    select distinct
        origin,
        dest,
        brand
    from flights
    where carrier <> brand
),

brand_hours as (
    select
        origin,
        dest,
        brand,
        carrier,
        crs_dep_hour,
        sum(flight_count * part) as flight_count,
        sum(completed_count * part) as completed_count,
        sum(delayed_count * part) as delayed_count,
        sum(cancelled_count * part) as cancelled_count,
        sum(delayed_min_sum * part) as delayed_min_sum,
        sum(weighted_flight_count * part) as weighted_flight_count,
        coalesce(sum(flight_count * part) filter (where is_inferred), 0) as inferred_count,
        coalesce(sum(flight_count * (part * part)::decimal(7, 6)) filter (where is_inferred), 0) as right_count,
        min(first_month) as first_month,
        max(last_month) as last_month
    from flights
    semi join partners using (origin, dest, brand)
    group by all
)

select * from brand_hours
order by origin, dest, brand, carrier, crs_dep_hour
