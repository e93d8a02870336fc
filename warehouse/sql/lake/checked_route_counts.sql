-- One row per row of a provider's table of counts, in file order (rowid), with the columns of checked_route_hours.
-- `reject` is the first error in the row, or the rule that leaves the row out. Counts that the provider does not
-- publish are null. `period_months` is 12 for the counts of a whole year; the `month` of such a row is December.
-- `is_both_directions` marks rows that count the flights of both directions together.
create or replace temp table checked_route_hours as
with
source_rows as (
    select *
    from source_flights
),

checked as (
    select
        case when month <= getvariable('last_day')::date then month end as month,
        carrier,
        null::varchar as brand,
        origin,
        dest,
        crs_dep_hour,
        delay_basis,
        flight_count::bigint as flight_count,
        cancelled_count::bigint as cancelled_count,
        diverted_count::bigint as diverted_count,
        completed_count::bigint as completed_count,
        delayed15_count::bigint as delayed15_count,
        delayed_count::bigint as delayed_count,
        delayed60_count::bigint as delayed60_count,
        delayed120_count::bigint as delayed120_count,
        delayed180_count::bigint as delayed180_count,
        delayed360_count::bigint as delayed360_count,
        delayed_min_sum::bigint as delayed_min_sum,
        period_months::tinyint as period_months,
        is_both_directions,
        case
            when month is null then coalesce(exclusion, reject('month', month_text, 'invalid_month'))
            when month > getvariable('last_day')::date then reject('month', month_text, 'future_date')
            when exclusion is not null then exclusion
            when not is_carrier(carrier) then reject('carrier', carrier, 'unknown_airline')
            when not is_airport(origin) then reject('origin', origin, 'unknown_airport')
            when not is_airport(dest) then reject('dest', dest, 'unknown_airport')
            when origin = dest then reject('dest', dest, 'same_origin_dest')
            when flight_count is null or flight_count < 0
                then reject('flight_count', flight_count::varchar, 'invalid_count')
            when flight_count = 0 then reject('flight_count', '0', 'no_flights')
            when not coalesce(completed_count + coalesce(cancelled_count, 0) <= flight_count, false)
                then reject('completed_count', completed_count::varchar, 'invalid_count')
            when coalesce(delayed15_count, delayed_count) > completed_count
                then reject('delayed15_count', delayed15_count::varchar, 'invalid_count')
        end as reject
    from source_rows
)

select * from checked
