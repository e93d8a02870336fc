-- One row per month, carrier, brand, origin, dest and scheduled local departure hour, for the month $month or, if it is
-- null, for all months. brand is null if the source has only operators.
-- delayed15_count counts delays of 15 minutes and more, as BTS does. The other counts do not include a delay of exactly
-- the limit. `count_if` is not used, because it returns null, not 0, if all values are null.
with
by_route_hour as (
    select
        month,
        carrier,
        brand,
        origin,
        dest,
        (crs_dep_time // 100)::tinyint as crs_dep_hour,
        flight_basis as delay_basis,
        count(*)::integer as flight_count,
        count(*) filter (where is_cancelled)::integer as cancelled_count,
        count(*) filter (where is_diverted)::integer as diverted_count,
        count(completed_delay_min)::integer as completed_count,
        count(*) filter (where completed_delay_min >= 15)::integer as delayed15_count,
        count(*) filter (where is_delayed)::integer as delayed_count,
        count(*) filter (where completed_delay_min > 45)::integer as delayed45_count,
        count(*) filter (where completed_delay_min > 60)::integer as delayed60_count,
        count(*) filter (where completed_delay_min > 90)::integer as delayed90_count,
        count(*) filter (where completed_delay_min > 120)::integer as delayed120_count,
        count(*) filter (where completed_delay_min > 180)::integer as delayed180_count,
        count(*) filter (where completed_delay_min > 360)::integer as delayed360_count,
        coalesce(sum(completed_delay_min) filter (where is_delayed), 0)::bigint as delayed_min_sum
    from flight_outcomes
    where coalesce(month = $month::date, true)
    group by all
)

select * from by_route_hour
order by month, carrier, origin, dest, crs_dep_hour, brand, delay_basis
