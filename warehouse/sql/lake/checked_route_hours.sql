-- One row per row of a file of sums, in file order (rowid), with typed columns. `reject` is the first error in the row.
create or replace temp table checked_route_hours as
with
source_rows as (
    select * from source_flights
),

parsed as (
    select
        source_rows as source_row,
        as_date(month) as month,
        trim(carrier) as carrier,
        case when not is_absent(brand) then trim(brand) end as brand,
        trim(origin) as origin,
        trim(dest) as dest,
        as_hour(as_number(crs_dep_hour)) as crs_dep_hour,
        delay_basis,
        as_count(as_number(flight_count)) as flight_count,
        as_count(as_number(cancelled_count)) as cancelled_count,
        as_count(as_number(diverted_count)) as diverted_count,
        as_count(as_number(completed_count)) as completed_count,
        as_count(as_number(delayed15_count)) as delayed15_count,
        as_count(as_number(delayed_count)) as delayed_count,
        as_count(as_number(delayed45_count)) as delayed45_count,
        as_count(as_number(delayed60_count)) as delayed60_count,
        as_count(as_number(delayed90_count)) as delayed90_count,
        as_count(as_number(delayed120_count)) as delayed120_count,
        as_count(as_number(delayed180_count)) as delayed180_count,
        as_count(as_number(delayed360_count)) as delayed360_count,
        as_count(as_number(delayed_min_sum)) as delayed_min_sum,
        row_number() over () as row_number
    from source_rows
),

keyed as (
    select
        *,
        row_number() over (
            partition by month, carrier, brand, origin, dest, crs_dep_hour, delay_basis order by row_number
        ) as nth_of_key
    from parsed
),

checked as (
    select
        case when month <= getvariable('last_day')::date then date_trunc('month', month)::date end as month,
        carrier,
        brand,
        origin,
        dest,
        crs_dep_hour,
        delay_basis,
        flight_count,
        cancelled_count,
        diverted_count,
        completed_count,
        delayed15_count,
        delayed_count,
        delayed45_count,
        delayed60_count,
        delayed90_count,
        delayed120_count,
        delayed180_count,
        delayed360_count,
        delayed_min_sum,
        case
            when month is null or day(month) <> 1 then reject('month', source_row.month, 'invalid_month')
            when month > getvariable('last_day')::date then reject('month', source_row.month, 'future_date')
            when not is_carrier(carrier)
                then reject('carrier', carrier, 'invalid_carrier')
            when brand is not null and not is_carrier(brand)
                then reject('brand', brand, 'invalid_brand')
            when not is_airport(origin)
                then reject('origin', origin, 'invalid_origin')
            when not is_airport(dest)
                then reject('dest', dest, 'invalid_dest')
            when origin = dest then reject('dest', dest, 'same_origin_dest')
            when crs_dep_hour is null and not is_absent(source_row.crs_dep_hour)
                then reject('crs_dep_hour', source_row.crs_dep_hour, 'invalid_crs_dep_hour')
            when not coalesce(delay_basis in ('arrival', 'departure'), false)
                then reject('delay_basis', delay_basis, 'invalid_delay_basis')
            when not coalesce(flight_count > 0, false)
                then reject('flight_count', source_row.flight_count, 'invalid_count')
            when cancelled_count is null then reject('cancelled_count', source_row.cancelled_count, 'invalid_count')
            when diverted_count is null then reject('diverted_count', source_row.diverted_count, 'invalid_count')
            -- Completed flights are neither cancelled nor diverted.
            -- A flight whose delay is unknown is not in any of the three counts.
            when not coalesce(completed_count <= flight_count - cancelled_count - diverted_count, false)
                then reject('completed_count', source_row.completed_count, 'invalid_count')
            when not coalesce(delayed15_count <= completed_count, false)
                then reject('delayed15_count', source_row.delayed15_count, 'invalid_count')
            when not coalesce(delayed_count <= delayed15_count, false)
                then reject('delayed_count', source_row.delayed_count, 'invalid_count')
            when not coalesce(delayed60_count <= delayed_count, false)
                then reject('delayed60_count', source_row.delayed60_count, 'invalid_count')
            when not coalesce(delayed120_count <= delayed60_count, false)
                then reject('delayed120_count', source_row.delayed120_count, 'invalid_count')
            -- The next four counts are optional. If one of them is missing, it is null and is not compared with the
            -- other counts.
            when (delayed45_count is null and not is_absent(source_row.delayed45_count))
                or delayed45_count > delayed_count or delayed45_count < delayed60_count
                then reject('delayed45_count', source_row.delayed45_count, 'invalid_count')
            when (delayed90_count is null and not is_absent(source_row.delayed90_count))
                or delayed90_count > delayed60_count or delayed90_count < delayed120_count
                then reject('delayed90_count', source_row.delayed90_count, 'invalid_count')
            when (delayed180_count is null and not is_absent(source_row.delayed180_count))
                or delayed180_count > delayed120_count
                then reject('delayed180_count', source_row.delayed180_count, 'invalid_count')
            when (delayed360_count is null and not is_absent(source_row.delayed360_count))
                or delayed360_count > coalesce(delayed180_count, delayed120_count)
                then reject('delayed360_count', source_row.delayed360_count, 'invalid_count')
            -- A delayed flight is at least 31 minutes late.
            when not coalesce(
                delayed_min_sum >= 31 * delayed_count and delayed_min_sum <= 10080 * delayed_count::bigint, false
            )
                then reject('delayed_min_sum', source_row.delayed_min_sum, 'invalid_delayed_min_sum')
            when nth_of_key > 1 then reject('carrier', carrier, 'duplicate_key')
        end as reject,
        row_number
    from keyed
)

select * exclude (row_number) from checked
order by row_number
