-- One row per flight of the source, in file order (rowid), with typed columns. `reject` is the first error in the row.
-- `month` is null if the row has neither a valid date nor a valid year and month, and for flights after `last_day`. A
-- single flight in the future would make all other months look old.
create or replace temp table checked_flights as
with
trimmed as (
    select
        * replace (
            trim(flight_date) as flight_date,
            trim(carrier) as carrier,
            trim(flight_number) as flight_number,
            trim(codeshares) as codeshares,
            trim(tail_number) as tail_number,
            trim(brand) as brand,
            trim(brand_flight_number) as brand_flight_number,
            trim(origin) as origin,
            trim(dest) as dest,
            trim(cancellation_code) as cancellation_code
        )
    from source_flights
),

texts as (
    select
        * replace (
            as_flight_number(as_present(flight_number)) as flight_number,
            as_present(codeshares) as codeshares,
            as_present(tail_number) as tail_number,
            as_present(brand) as brand,
            as_flight_number(as_present(brand_flight_number)) as brand_flight_number,
            as_present(cancellation_code) as cancellation_code
        )
    from trimmed
),

-- Numbers have their own step, because DuckDB repeats an expression for each of its uses in `case`.
numbers as (
    select
        texts as source_row,
        as_day(flight_date) as flight_day,
        as_number(weekday) as weekday,
        as_number(year) as year,
        as_number(month) as month_of_year,
        carrier,
        flight_number,
        codeshares,
        tail_number,
        brand,
        brand_flight_number,
        origin,
        dest,
        as_number(crs_dep_time) as crs_dep_time,
        as_number(crs_arr_time) as crs_arr_time,
        as_number(dep_time) as dep_time,
        as_number(arr_time) as arr_time,
        as_number(dep_delay_min) as dep_delay_min,
        as_number(arr_delay_min) as arr_delay_min,
        as_number(is_cancelled) as is_cancelled,
        cancellation_code,
        as_number(is_diverted) as is_diverted,
        as_number(distance_mi) as distance_mi
    from texts
),

parsed as (
    select
        source_row,
        as_flight_date(flight_day) as flight_date,
        as_weekday(weekday) as weekday,
        as_year(year) as year,
        as_month(month_of_year) as month_of_year,
        carrier,
        flight_number,
        codeshares,
        tail_number,
        brand,
        brand_flight_number,
        origin,
        dest,
        as_hhmm(crs_dep_time) as crs_dep_time,
        as_hhmm(crs_arr_time) as crs_arr_time,
        as_hhmm(dep_time) as dep_time,
        as_hhmm(arr_time) as arr_time,
        as_delay_min(dep_delay_min) as dep_delay_min,
        as_delay_min(arr_delay_min) as arr_delay_min,
        as_flag(is_cancelled) as is_cancelled,
        cancellation_code,
        as_flag(is_diverted) as is_diverted,
        as_distance_mi(distance_mi) as distance_mi
    from numbers
),

dated as (
    select
        *,
        coalesce(
            flight_date,
            case when year is not null and month_of_year is not null then make_date(year, month_of_year, 1) end
        ) as earliest_day
    from parsed
),

checked as (
    select
        case when earliest_day <= getvariable('last_day')::date then date_trunc('month', earliest_day)::date end as month,
        flight_date,
        coalesce(isodow(flight_date)::tinyint, weekday) as weekday,
        carrier,
        flight_number,
        codeshares,
        tail_number,
        origin,
        dest,
        crs_dep_time,
        crs_arr_time,
        dep_time,
        arr_time,
        dep_delay_min,
        arr_delay_min,
        is_cancelled,
        cancellation_code,
        is_diverted,
        distance_mi,
        brand,
        brand_flight_number,
        case
            when getvariable('has_dates') and flight_date is null
                then reject('flight_date', source_row.flight_date, 'invalid_date')
            when not getvariable('has_dates') and month_of_year is null
                then reject('month', source_row.month, 'invalid_month')
            when not getvariable('has_dates') and year is null
                then reject('year', source_row.year, 'invalid_year')
            when earliest_day > getvariable('last_day')::date
                then reject(
                    case when flight_date is null then 'month' else 'flight_date' end,
                    coalesce(source_row.flight_date, concat_ws('-', source_row.year, source_row.month)),
                    'future_date'
                )
            when weekday is null and not is_absent(source_row.weekday)
                then reject('weekday', source_row.weekday, 'invalid_weekday')
            when source_row.airline_name is not null and carrier is null
                then reject('carrier', source_row.airline_name, 'unknown_airline_name')
            when source_row.exclusion is not null then source_row.exclusion
            when not is_carrier(carrier)
                then reject('carrier', carrier, 'invalid_carrier')
            when brand is not null and not is_carrier(brand)
                then reject('brand', brand, 'invalid_brand')
            when not is_airport(origin)
                then reject('origin', origin, 'invalid_origin')
            when not is_airport(dest)
                then reject('dest', dest, 'invalid_dest')
            when origin = dest then reject('dest', dest, 'same_origin_dest')
            when crs_dep_time is null and getvariable('has_times')
                then reject('crs_dep_time', source_row.crs_dep_time, 'invalid_crs_dep_time')
            when crs_arr_time is null and not is_absent(source_row.crs_arr_time)
                then reject('crs_arr_time', source_row.crs_arr_time, 'invalid_crs_arr_time')
            when dep_time is null and not is_absent(source_row.dep_time)
                then reject('dep_time', source_row.dep_time, 'invalid_dep_time')
            when arr_time is null and not is_absent(source_row.arr_time)
                then reject('arr_time', source_row.arr_time, 'invalid_arr_time')
            when dep_delay_min is null and not is_absent(source_row.dep_delay_min)
                then reject('dep_delay_min', source_row.dep_delay_min, 'invalid_dep_delay')
            when arr_delay_min is null and not is_absent(source_row.arr_delay_min)
                then reject('arr_delay_min', source_row.arr_delay_min, 'invalid_arr_delay')
            when is_cancelled is null
                then reject('is_cancelled', source_row.is_cancelled, 'invalid_cancelled')
            when cancellation_code not in ('A', 'B', 'C', 'D')
                then reject('cancellation_code', cancellation_code, 'invalid_cancellation_code')
            when is_diverted is null and not is_absent(source_row.is_diverted)
                then reject('is_diverted', source_row.is_diverted, 'invalid_diverted')
            when distance_mi is null and not is_absent(source_row.distance_mi)
                then reject('distance_mi', source_row.distance_mi, 'invalid_distance')
        end as reject
    from dated
)

select * from checked
