-- One row per origin, dest, carrier and scheduled hour, with the outcomes of a month without single flights, dated to
-- the middle of the month.
with
route_hours as (
    select * from read_parquet($file, hive_partitioning = false)
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
        sum(delayed_count)::bigint as delayed_count,
        sum(cancelled_count)::bigint as cancelled_count
    from route_hours
    group by all
    order by all
)

select * from counted
where flight_date >= $from::date
