-- One row per month, origin, dest, brand, scheduled departure hour and basis of delays, for brands that sell flights of
-- other operators. The row counts all flights that the brand sells, also on routes that it operates alone. A flight
-- without a known brand counts for each brand in brand_shares, in proportion to its share, so counts are decimals.
create or replace table intermediate.int_brand_months as
with
flights as (
    select
        hours.month,
        hours.origin,
        hours.dest,
        hours.carrier,
        coalesce(hours.brand, shares.brand, hours.carrier) as brand,
        hours.crs_dep_hour,
        hours.delay_basis,
        hours.completed_count * coalesce(shares.share, 1)::decimal(7, 6) as completed_count,
        hours.delayed_count * coalesce(shares.share, 1)::decimal(7, 6) as delayed_count,
        hours.cancelled_count * coalesce(shares.share, 1)::decimal(7, 6) as cancelled_count
    from raw.route_hours as hours
    left join marts.brand_shares as shares
        -- A condition on `hours` alone would make DuckDB compare every pair of rows.
        on shares.carrier = if(hours.brand is null, hours.carrier, null)
        and shares.origin = hours.origin
        and shares.dest = hours.dest
        and shares.year = year(hours.month)
),

brands as (
    select distinct brand
    from flights
    where carrier <> brand
),

brand_months as (
    select
        month,
        origin,
        dest,
        brand,
        crs_dep_hour,
        delay_basis,
        sum(completed_count) as completed_count,
        sum(delayed_count) as delayed_count,
        sum(cancelled_count) as cancelled_count
    from flights
    semi join brands using (brand)
    group by all
)

select * from brand_months
