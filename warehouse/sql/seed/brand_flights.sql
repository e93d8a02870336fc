-- Flights of BTS's marketing-carrier table by operator, brand, route and year, for operators that fly for others. The
-- file of January 2020 does not name operators. A flight of this file gets the operator of the brand's nearest flight
-- number in 2019. 98 % of these operators are right. Flights from `until` on are left out.
create or replace temp table brand_flights as
with
flights as (
    select
        fl_date::date as flight_date,
        op_unique_carrier as carrier,
        mkt_carrier as brand,
        origin,
        dest
    from read_parquet(getvariable('sample_file'))
    union all
    select
        fl_date::date as flight_date,
        op_inferred as carrier,
        mkt_carrier as brand,
        origin,
        dest
    from read_parquet(getvariable('january_file'))
    where op_inferred is not null
),

partners as (
    select distinct carrier
    from flights
    where carrier <> brand
),

counts as (
    select
        carrier,
        brand,
        origin,
        dest,
        year(flight_date)::smallint as year,
        count(*)::integer as flight_count
    from flights
    semi join partners using (carrier)
    where flight_date < getvariable('until')::date
    group by all
    order by all
)

select * from counts
