-- One row per row of the delay-cause table, in file order (rowid), with typed columns. `reject` is the first error in
-- the row. `is_empty` marks a row without figures: the airline had no flights at the airport in that month. `month` is
-- null if year or month is invalid, and for a month that has not ended, because its table cannot be published yet.
create or replace temp table checked_delay_causes as
with
source_rows as (
    select * from source_flights
),

parsed as (
    select
        source_rows as source_row,
        as_year(as_number(year)) as year,
        as_month(as_number(month)) as month_of_year,
        trim(carrier) as carrier,
        trim(airport) as airport,
        as_count(as_number(arr_flights)) as arr_flights,
        as_count(as_number(arr_del15)) as arr_del15,
        as_count(as_number(arr_cancelled)) as arr_cancelled,
        as_count(as_number(arr_diverted)) as arr_diverted,
        -- Late flights by cause, and their minutes.
        as_amount(as_number(columns('(_ct|_delay)$'))),
        row_number() over () as row_number
    from source_rows
),

dated as (
    select
        *,
        case when year is not null and month_of_year is not null then make_date(year, month_of_year, 1) end as month,
        coalesce(
            is_absent(source_row.arr_flights) and is_absent(source_row.arr_del15)
            and is_absent(source_row.arr_cancelled) and is_absent(source_row.arr_diverted),
            false
        ) as is_empty,
        arr_flights - arr_cancelled - arr_diverted as arrived
    from parsed
),

keyed as (
    select
        *,
        month is not null and last_day(month) > getvariable('last_day')::date as is_unfinished,
        -- If no flight arrived, BTS leaves this count blank.
        case when is_absent(source_row.arr_del15) and arrived = 0 then 0 else arr_del15 end as late_count,
        row_number() over (partition by month, carrier, airport order by row_number) as nth_of_key
    from dated
),

checked as (
    select
        case when not is_unfinished then month end as month,
        carrier,
        airport,
        arr_flights,
        late_count as arr_del15,
        arr_cancelled,
        arr_diverted,
        columns('(_ct|_delay)$'),
        is_empty,
        case
            when month_of_year is null then reject('month', source_row.month, 'invalid_month')
            when year is null then reject('year', source_row.year, 'invalid_year')
            when is_unfinished then reject('month', concat_ws('-', source_row.year, source_row.month), 'future_date')
            when not is_carrier(carrier)
                then reject('carrier', carrier, 'invalid_carrier')
            when not is_airport(airport)
                then reject('airport', airport, 'invalid_airport')
            when nth_of_key > 1 then reject('carrier', carrier, 'duplicate_key')
            when is_empty then null
            when arr_flights is null then reject('arr_flights', source_row.arr_flights, 'invalid_count')
            when arr_cancelled is null then reject('arr_cancelled', source_row.arr_cancelled, 'invalid_count')
            -- `arr_flights` includes cancelled and diverted flights.
            when not coalesce(arrived >= 0, false) then reject('arr_diverted', source_row.arr_diverted, 'invalid_count')
            when not coalesce(late_count <= arrived, false)
                then reject('arr_del15', source_row.arr_del15, 'invalid_count')
            when carrier_ct is null and not is_absent(source_row.carrier_ct)
                then reject('carrier_ct', source_row.carrier_ct, 'invalid_cause')
            when weather_ct is null and not is_absent(source_row.weather_ct)
                then reject('weather_ct', source_row.weather_ct, 'invalid_cause')
            when nas_ct is null and not is_absent(source_row.nas_ct) then reject('nas_ct', source_row.nas_ct, 'invalid_cause')
            when security_ct is null and not is_absent(source_row.security_ct)
                then reject('security_ct', source_row.security_ct, 'invalid_cause')
            when late_aircraft_ct is null and not is_absent(source_row.late_aircraft_ct)
                then reject('late_aircraft_ct', source_row.late_aircraft_ct, 'invalid_cause')
            when arr_delay is null and not is_absent(source_row.arr_delay)
                then reject('arr_delay', source_row.arr_delay, 'invalid_minutes')
            when carrier_delay is null and not is_absent(source_row.carrier_delay)
                then reject('carrier_delay', source_row.carrier_delay, 'invalid_minutes')
            when weather_delay is null and not is_absent(source_row.weather_delay)
                then reject('weather_delay', source_row.weather_delay, 'invalid_minutes')
            when nas_delay is null and not is_absent(source_row.nas_delay)
                then reject('nas_delay', source_row.nas_delay, 'invalid_minutes')
            when security_delay is null and not is_absent(source_row.security_delay)
                then reject('security_delay', source_row.security_delay, 'invalid_minutes')
            when late_aircraft_delay is null and not is_absent(source_row.late_aircraft_delay)
                then reject('late_aircraft_delay', source_row.late_aircraft_delay, 'invalid_minutes')
        end as reject,
        row_number
    from keyed
)

select * exclude (row_number) from checked
order by row_number
