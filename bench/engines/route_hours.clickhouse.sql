-- The lake's route hours in the SQL of ClickHouse: one row per month, carrier, origin, dest and scheduled local departure hour.
-- Reads only the files that a manifest names.
select
    toDate(concat(extract(_path, 'year=(\\d+)'), '-', extract(_path, 'month=(\\d+)'), '-01')) as month,
    carrier,
    origin,
    dest,
    toInt8(intDiv(crs_dep_time, 100)) as crs_dep_hour,
    '$delay_basis' as delay_basis,
    toInt32(count()) as flight_count,
    toInt32(countIf(is_cancelled)) as cancelled_count,
    toInt32(countIf(coalesce(is_diverted, false) and not is_cancelled)) as diverted_count,
    toInt32(count(completed_delay_min)) as completed_count,
    toInt32(countIf(completed_delay_min >= 15)) as delayed15_count,
    toInt32(countIf(completed_delay_min > 30)) as delayed_count,
    toInt32(countIf(completed_delay_min > 45)) as delayed45_count,
    toInt32(countIf(completed_delay_min > 60)) as delayed60_count,
    toInt32(countIf(completed_delay_min > 90)) as delayed90_count,
    toInt32(countIf(completed_delay_min > 120)) as delayed120_count,
    toInt32(countIf(completed_delay_min > 180)) as delayed180_count,
    toInt32(countIf(completed_delay_min > 360)) as delayed360_count,
    toInt64(coalesce(sumIf(completed_delay_min, completed_delay_min > 30), 0)) as delayed_min_sum
from
    (
        select
            *,
            _path,
            if(is_cancelled or coalesce(is_diverted, false), null, if('$delay_basis' = 'arrival', arr_delay_min, dep_delay_min)) as completed_delay_min
        from file('$flights', Parquet)
        where _path in ($files)
    )
group by month, carrier, origin, dest, crs_dep_hour
