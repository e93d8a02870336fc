-- One row per passenger movement at Zurich: a start (S) or a landing (L), with its scheduled and actual time. `date` is
-- the day of the actual time. The file does not state the scheduled day. The day that gives the delay nearest to zero
-- is therefore used. `flight_date` is the scheduled day at Zurich; a flight scheduled in another month stays in the
-- month of `date`. For a landing, the scheduled departure is estimated from distance and time zones.
create or replace temp view zrh_movements as
with
movements as (
    select
        source.*,
        start_landing = 'L' as is_arrival,
        try_strptime(date, '%d.%m.%Y')::date as day,
        try_cast(planed_time as time) as planned,
        try_cast(effective_time as time) as actual
    from source
),

timed as (
    select
        *,
        -- Cuts off the seconds, because the scheduled times have none.
        (date_diff('minute', planned, date_trunc('minute', day + actual)::time) + 2160) % 1440 - 720 as delay_min
    from movements
),

dated as (
    select
        * replace (if(date_trunc('month', planned_day) = date_trunc('month', day), planned_day, day) as day),
        day + planned as scheduled
    from (
        select
            *,
            (day + actual - to_minutes(delay_min))::date as planned_day
        from timed
    ) as planned_days
),

coded as (
    select
        dated.*,
        coalesce(case when length(airline_code) = 2 then airline_code end, airlines.iata) as carrier,
        estimated_departure(scheduled, places.time_zone, 'Europe/Zurich', places.latitude, places.longitude, 47.458, 8.548)
            as departure
    from dated
    left join airline_codes as airlines on airlines.icao = airline_code
    left join airport_places as places on places.iata = origin_destination
)

select
    row_number,

    -- date and time
    null::varchar as year,
    null::varchar as month,
    day::varchar as flight_date,
    null::varchar as weekday,
    strftime(case when is_arrival then coalesce(departure, scheduled) else scheduled end, '%H%M') as crs_dep_time,
    case when is_arrival then strftime(scheduled, '%H%M') end as crs_arr_time,
    case when not is_arrival then strftime(day + actual, '%H%M') end as dep_time,
    case when is_arrival then strftime(day + actual, '%H%M') end as arr_time,

    -- airline, flight number and airports; a few airlines have their ICAO code
    carrier,
    null::varchar as airline_name,
    regexp_extract(flugnummer, '(\d+)[A-Z]?$', 1) as flight_number,
    null::varchar as tail_number,
    case when is_arrival then origin_destination else 'ZRH' end as origin,
    case when is_arrival then 'ZRH' else origin_destination end as dest,
    null::varchar as distance_mi,

    -- outcome; cancelled flights are not in the file
    case when not is_arrival then delay_min::varchar end as dep_delay_min,
    case when is_arrival then delay_min::varchar end as arr_delay_min,
    '0' as is_cancelled,
    null::varchar as cancellation_code,
    '0' as is_diverted,
    case
        when start_landing not in ('S', 'L') then reject('start_landing', start_landing, 'invalid_direction')
        when carrier is null then reject('airline_code', airline_code, 'unknown_airline')
        when origin_destination = 'ZRH' then reject('origin_destination', origin_destination, 'round_trip')
    end as exclusion
from coded
