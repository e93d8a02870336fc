-- One row per origin, dest, carrier, flight_date and scheduled hour, with the outcomes of flights in one month. Flights
-- before `$from` are left out. Flights without a date get a day in the middle of their month, on the right weekday if
-- the source has weekdays. `dated_by` is the precision of dates in the source: the day, the weekday or only the month.
-- In a mixed source, the delay at arrival counts if it is known, as in `flight_outcomes`.
with
flights as (
    select * from read_parquet($file, hive_partitioning = false)
    -- Adds the column `weekday`, which older lake files do not have. Adds no row.
    union all by name
    select null::tinyint as weekday
    where false
),

outcomes as (
    select
        origin,
        dest,
        carrier,
        coalesce(
            flight_date,
            $month::date + 11 + ((weekday - isodow($month::date + 11) + 7) % 7)::integer,
            $month::date + 14
        ) as flight_date,
        case
            when flight_date is not null then 'day'
            when weekday is not null then 'weekday'
            else 'month'
        end as dated_by,
        crs_dep_time // 100 as local_hour,
        is_cancelled,
        coalesce(is_diverted, false) and not is_cancelled as is_diverted,
        case
            when not is_cancelled and not coalesce(is_diverted, false)
                then case $delay_basis
                    when 'arrival' then arr_delay_min
                    when 'departure' then dep_delay_min
                    else coalesce(arr_delay_min, dep_delay_min)
                end
        end as delay_min
    from flights
),

counted as (
    select
        origin,
        dest,
        carrier,
        flight_date,
        dated_by,
        local_hour,
        count(delay_min) as completed_count,
        count(*) filter (where delay_min >= 15) as delayed15_count,
        count(*) filter (where delay_min > 30) as delayed_count,
        count(*) filter (where delay_min > 45) as delayed45_count,
        count(*) filter (where delay_min > 60) as delayed60_count,
        count(*) filter (where delay_min > 90) as delayed90_count,
        count(*) filter (where delay_min > 120) as delayed120_count,
        count(*) filter (where delay_min > 180) as delayed180_count,
        count(*) filter (where delay_min > 360) as delayed360_count,
        count(*) filter (where is_diverted) as diverted_count,
        count(*) filter (where is_cancelled) as cancelled_count
    from outcomes
    where flight_date >= $from::date
    group by all
    order by all
)

select * from counted
