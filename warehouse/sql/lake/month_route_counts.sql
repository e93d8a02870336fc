-- One row per month, carrier, origin, dest and delay basis, from a provider's counts. An airline on a route may have
-- several rows in the provider's table. A count is null if one of these rows does not have it. If a row counts both
-- directions together, half of its flights, rounded up, are from `origin` to `dest`.
with
good_rows as (
    select * from checked_route_hours
    where
        month = $month::date
        and reject is null
),

directed as (
    select * from good_rows
    where not is_both_directions
    union all by name
    select * replace (
        (flight_count + 1) // 2 as flight_count,
        (cancelled_count + 1) // 2 as cancelled_count,
        (diverted_count + 1) // 2 as diverted_count,
        (completed_count + 1) // 2 as completed_count,
        (delayed15_count + 1) // 2 as delayed15_count,
        (delayed_count + 1) // 2 as delayed_count,
        (delayed60_count + 1) // 2 as delayed60_count,
        (delayed120_count + 1) // 2 as delayed120_count,
        (delayed180_count + 1) // 2 as delayed180_count,
        (delayed360_count + 1) // 2 as delayed360_count,
        (delayed_min_sum + 1) // 2 as delayed_min_sum)
    from good_rows
    where is_both_directions
    union all by name
    select * replace (
        dest as origin,
        origin as dest,
        'arrival' as delay_basis,
        flight_count // 2 as flight_count,
        cancelled_count // 2 as cancelled_count,
        diverted_count // 2 as diverted_count,
        completed_count // 2 as completed_count,
        delayed15_count // 2 as delayed15_count,
        delayed_count // 2 as delayed_count,
        delayed60_count // 2 as delayed60_count,
        delayed120_count // 2 as delayed120_count,
        delayed180_count // 2 as delayed180_count,
        delayed360_count // 2 as delayed360_count,
        delayed_min_sum // 2 as delayed_min_sum)
    from good_rows
    where is_both_directions
),

by_route as (
    select
        month,
        carrier,
        origin,
        dest,
        crs_dep_hour,
        delay_basis,
        case when count(*) = count(flight_count) then sum(flight_count)::integer end as flight_count,
        case when count(*) = count(cancelled_count) then sum(cancelled_count)::integer end as cancelled_count,
        case when count(*) = count(diverted_count) then sum(diverted_count)::integer end as diverted_count,
        case when count(*) = count(completed_count) then sum(completed_count)::integer end as completed_count,
        case when count(*) = count(delayed15_count) then sum(delayed15_count)::integer end as delayed15_count,
        case when count(*) = count(delayed_count) then sum(delayed_count)::integer end as delayed_count,
        case when count(*) = count(delayed60_count) then sum(delayed60_count)::integer end as delayed60_count,
        case when count(*) = count(delayed120_count) then sum(delayed120_count)::integer end as delayed120_count,
        case when count(*) = count(delayed180_count) then sum(delayed180_count)::integer end as delayed180_count,
        case when count(*) = count(delayed360_count) then sum(delayed360_count)::integer end as delayed360_count,
        case when count(*) = count(delayed_min_sum) then sum(delayed_min_sum)::bigint end as delayed_min_sum
    from directed
    group by all
)

select * from by_route
where flight_count > 0
order by carrier, origin, dest, crs_dep_hour, delay_basis
