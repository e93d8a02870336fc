-- One row per passenger flight to or from Hong Kong. Times and `flight_date` are local to Hong Kong. `status` has the
-- actual time. It also has the date of the actual time if this differs from the date of the list. For an arrival, the
-- scheduled departure is estimated from distance and time zones.
create or replace temp view hkia_flights as
with
entries as (
    select
        source.*,
        hkia_direction = 'arrival' as is_arrival,
        try_cast(hkia_date as date) as day,
        try_cast(hkia_date || ' ' || hkia_time as timestamp) as scheduled,
        regexp_extract(hkia_status, '^(?:At gate|Dep|Landed) (\d\d:\d\d)', 1) as actual_time,
        regexp_extract(hkia_status, '\((\d\d/\d\d/\d{4})\)$', 1) as actual_date
    from source
),

timed as (
    select
        *,
        try_cast(
            coalesce(try_strptime(actual_date, '%d/%m/%Y')::date, day) || ' ' || nullif(actual_time, '') as timestamp
        ) as actual
    from entries
),

delayed as (
    select
        timed.*,
        date_diff('minute', scheduled, actual) as delay_min,
        estimated_departure(scheduled, places.time_zone, 'Asia/Hong_Kong', places.latitude, places.longitude, 22.3089, 113.9146)
            as departure
    from timed
    left join airport_places as places on places.iata = hkia_airport
)

select
    row_number,

    -- date and time
    null::varchar as year,
    null::varchar as month,
    hkia_date as flight_date,
    null::varchar as weekday,
    case when is_arrival then strftime(departure, '%H%M') else replace(hkia_time, ':', '') end as crs_dep_time,
    case when is_arrival then replace(hkia_time, ':', '') end as crs_arr_time,
    case when not is_arrival then strftime(actual, '%H%M') end as dep_time,
    case when is_arrival then strftime(actual, '%H%M') end as arr_time,

    -- airline, flight number and airports; the flight number begins with the IATA code
    regexp_extract(hkia_number, '^([A-Z0-9]{2}) ?\d', 1) as carrier,
    null::varchar as airline_name,
    regexp_extract(hkia_number, '^[A-Z0-9]{2} ?(\d+)', 1) as flight_number,
    replace(hkia_codeshares, ' ', '') as codeshares,
    null::varchar as tail_number,
    case when is_arrival then hkia_airport else 'HKG' end as origin,
    case when is_arrival then 'HKG' else hkia_airport end as dest,
    null::varchar as distance_mi,

    -- outcome
    case when not is_arrival then delay_min::varchar end as dep_delay_min,
    case when is_arrival then delay_min::varchar end as arr_delay_min,
    (hkia_status = 'Cancelled')::integer::varchar as is_cancelled,
    null::varchar as cancellation_code,
    '0' as is_diverted,
    case
        when hkia_cargo = '1' then reject('hkia_cargo', hkia_cargo, 'not_passenger')
        when scheduled is null then reject('hkia_time', hkia_time, 'invalid_crs_dep_time')
        when abs(delay_min) > 1440 then reject('hkia_status', hkia_status, 'delay_over_24_hours')
    end as exclusion
from delayed
