-- One row per month, carrier, origin, dest and scheduled local departure hour.
-- delayed15_count is 15 minutes and more, as BTS counts; the counts after it are strictly more, as is_delayed is. (count_if would be null, not 0, over nulls alone.)
with
by_route_hour as (
    select
        month,
        carrier,
        origin,
        dest,
        (crs_dep_time // 100)::tinyint as crs_dep_hour,
        getvariable('delay_basis') as delay_basis,
        count(*)::integer as flight_count,
        count(*) filter (where is_cancelled)::integer as cancelled_count,
        count(*) filter (where is_diverted)::integer as diverted_count,
        count(completed_delay_min)::integer as completed_count,
        count(*) filter (where completed_delay_min >= 15)::integer as delayed15_count,
        count(*) filter (where is_delayed)::integer as delayed_count,
        count(*) filter (where completed_delay_min > 60)::integer as delayed60_count,
        count(*) filter (where completed_delay_min > 120)::integer as delayed120_count,
        coalesce(sum(completed_delay_min) filter (where is_delayed), 0)::bigint as delayed_min_sum
    from flight_outcomes
    where month = $month::date
    group by all
)

select * from by_route_hour
order by carrier, origin, dest, crs_dep_hour
