-- One row per origin, dest, carrier and scheduled hour, with the outcomes of a month without single flights. All
-- flights get one date, a day in the middle of the month. If the source does not count delays over 30 minutes, their
-- number is inferred: it is `$late_share` times the number of flights 15 minutes late or more, and need not be a whole
-- number.
with
route_hours as (
    select * from read_parquet($file, hive_partitioning = false)
    -- Adds the columns that older lake files do not have. Adds no row.
    union all by name
    select
        null::integer as delayed45_count,
        null::integer as delayed90_count,
        null::integer as delayed180_count,
        null::integer as delayed360_count
    where false
),

counted as (
    select
        origin,
        dest,
        carrier,
        $month::date + 14 as flight_date,
        'month' as dated_by,
        crs_dep_hour as local_hour,
        sum(completed_count)::bigint as completed_count,
        sum(delayed15_count)::bigint as delayed15_count,
        sum(coalesce(delayed_count::double, delayed15_count * $late_share::double)) as delayed_count,
        sum(delayed45_count)::bigint as delayed45_count,
        sum(delayed60_count)::bigint as delayed60_count,
        sum(delayed90_count)::bigint as delayed90_count,
        sum(delayed120_count)::bigint as delayed120_count,
        sum(delayed180_count)::bigint as delayed180_count,
        sum(delayed360_count)::bigint as delayed360_count,
        sum(diverted_count)::bigint as diverted_count,
        sum(cancelled_count)::bigint as cancelled_count
    from route_hours
    group by all
    order by all
)

select * from counted
where flight_date >= $from::date
