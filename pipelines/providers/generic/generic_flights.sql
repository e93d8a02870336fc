-- One row per flight of the generic form. A time is local to its airport (`08:15`, `0815`, `2025-03-05 08:15`,
-- `2025-03-05T08:15:00`), or has an offset (`2025-03-05T08:15:00+01:00`, `…Z`). If an actual time has no date, the date
-- nearest to the scheduled time is used. If a scheduled arrival has no date, the first such time after the scheduled
-- departure is used. Airports and airlines are IATA or ICAO codes.
create or replace temp view generic_flights as
with
coded as (
    select
        source.*,
        coalesce(origins.iata, upper(trim(source.origin))) as origin_code,
        coalesce(dests.iata, upper(trim(source.dest))) as dest_code,
        coalesce(airlines.iata, upper(trim(airline))) as carrier,
        as_date(trim(flight_date)) as day,
        flag_number(cancelled) as is_cancelled_flight,
        flag_number(diverted) as is_diverted_flight,
        origin_places.time_zone as origin_zone,
        dest_places.time_zone as dest_zone,
        origin_places.latitude as origin_latitude,
        origin_places.longitude as origin_longitude,
        dest_places.latitude as dest_latitude,
        dest_places.longitude as dest_longitude
    from source
    left join airport_codes as origins on origins.icao = upper(trim(source.origin))
    left join airport_codes as dests on dests.icao = upper(trim(source.dest))
    left join airline_codes as airlines on airlines.icao = upper(trim(airline))
    left join airport_places as origin_places on origin_places.iata = coalesce(origins.iata, upper(trim(source.origin)))
    left join airport_places as dest_places on dest_places.iata = coalesce(dests.iata, upper(trim(source.dest)))
),

timed as (
    select
        *,
        local_time(scheduled_departure, day, origin_zone) as planned_departure,
        local_time(scheduled_arrival, day, dest_zone) as planned_arrival,
        local_time(actual_departure, day, origin_zone) as real_departure,
        local_time(actual_arrival, day, dest_zone) as real_arrival
    from coded
),

arranged as (
    select
        * replace (
            case
                when has_date(scheduled_arrival) then planned_arrival
                else arrival_on_its_day(
                    planned_arrival, origin_zone, dest_zone, planned_departure, real_arrival, actual_arrival
                )
            end as planned_arrival
        )
    from timed
),

delayed as (
    select
        *,
        delay_between(planned_departure, real_departure, actual_departure) as dep_delay,
        delay_between(planned_arrival, real_arrival, actual_arrival) as arr_delay,
        coalesce(
            planned_departure,
            estimated_departure(
                planned_arrival, origin_zone, dest_zone, origin_latitude, origin_longitude, dest_latitude, dest_longitude
            )
        ) as departure
    from arranged
)

select
    row_number,

    -- date and time
    null::varchar as year,
    null::varchar as month,
    flight_date,
    null::varchar as weekday,
    strftime(departure, '%H%M') as crs_dep_time,
    strftime(planned_arrival, '%H%M') as crs_arr_time,
    strftime(real_departure, '%H%M') as dep_time,
    strftime(real_arrival, '%H%M') as arr_time,

    -- airline, flight number and airports
    carrier,
    null::varchar as airline_name,
    regexp_extract(flight, '(\d+)[A-Za-z]?$', 1) as flight_number,
    null::varchar as tail_number,
    origin_code as origin,
    dest_code as dest,
    null::varchar as distance_mi,

    -- outcome
    dep_delay::varchar as dep_delay_min,
    arr_delay::varchar as arr_delay_min,
    is_cancelled_flight as is_cancelled,
    null::varchar as cancellation_code,
    is_diverted_flight as is_diverted,
    case
        -- If a departure has no scheduled time, the time is estimated. The estimate needs both airports.
        when
            origin_zone is null
            and (has_offset(scheduled_departure) or has_offset(actual_departure) or is_absent(scheduled_departure))
            then reject('origin', origin, 'unknown_airport')
        when
            dest_zone is null
            and (has_offset(scheduled_arrival) or has_offset(actual_arrival) or is_absent(scheduled_departure))
            then reject('dest', dest, 'unknown_airport')
        when not is_absent(scheduled_departure) and planned_departure is null
            then reject('scheduled_departure', scheduled_departure, 'invalid_time')
        when not is_absent(scheduled_arrival) and planned_arrival is null
            then reject('scheduled_arrival', scheduled_arrival, 'invalid_time')
        when not is_absent(actual_departure) and real_departure is null
            then reject('actual_departure', actual_departure, 'invalid_time')
        when not is_absent(actual_arrival) and real_arrival is null
            then reject('actual_arrival', actual_arrival, 'invalid_time')
        when
            coalesce(dep_delay, arr_delay) is null
            and coalesce(real_departure, real_arrival) is not null
            and as_number(is_cancelled_flight) = 0
            and as_number(is_diverted_flight) = 0
            then case
                when real_arrival is null then reject('scheduled_departure', scheduled_departure, 'no_planned_time')
                else reject('scheduled_arrival', scheduled_arrival, 'no_planned_time')
            end
    end as exclusion
from delayed
