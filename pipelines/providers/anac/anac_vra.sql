-- One row per scheduled flight of Brazil's VRA table. Times and `flight_date` are in the time zone of Brasília. Only
-- passenger flights count: line types N (domestic) and I (international), in older files also R (regional), H
-- (sub-regional) and E (special). In files up to 2009, flights that kept to the schedule have no actual times.
create or replace temp view anac_vra as
with
flights as (
    select
        row_number,
        coalesce("sigla icao empresa aérea", "icao empresa aérea") as airline,
        "número voo" as number,
        upper(trim("código tipo linha")) as line_type,
        trim(coalesce("sigla icao aeroporto origem", "icao aeródromo origem")) as from_icao,
        trim(coalesce("sigla icao aeroporto destino", "icao aeródromo destino", "icao aeródromoo destino")) as to_icao,
        "partida prevista" as planned_departure,
        "partida real" as real_departure,
        "chegada prevista" as planned_arrival,
        "chegada real" as real_arrival,
        upper(trim(coalesce("situação voo", "situação"))) as outcome,
        brasilia_time("partida prevista") as dep_planned,
        brasilia_time("partida real") as dep_real,
        brasilia_time("chegada prevista") as arr_planned,
        brasilia_time("chegada real") as arr_real
    from source
),

coded as (
    select
        flights.*,
        outcome = 'CANCELADO' as is_cancelled_flight,
        -- Files of these years have no actual times for flights that kept to the schedule.
        outcome = 'REALIZADO' and dep_real is null and arr_real is null and year(dep_planned) < 2010 as is_as_planned,
        airlines.iata as carrier,
        origins.iata as origin,
        dests.iata as dest,
        origins.time_zone as origin_zone,
        dests.time_zone as dest_zone
    from flights
    left join airline_codes as airlines on airlines.icao = trim(airline)
    left join airport_codes as origins on origins.icao = from_icao
    left join airport_codes as dests on dests.icao = to_icao
),

monthly as (
    select
        *,
        coalesce(dep_planned, arr_planned, dep_real, arr_real)::date as day,
        count(*) over () as file_rows,
        count(*) over (partition by date_trunc('month', day)) as month_rows,
        mode(date_trunc('month', day)::date) over () as file_month
    from coded
),

timed as (
    select
        *,
        -- A file also has a few rows of the month before and of the month after its own month. These rows are left out,
        -- because a few rows must not replace a whole month.
        month_rows < 0.005 * file_rows as is_other_month,
        timezone(origin_zone, timezone('America/Sao_Paulo', coalesce(dep_planned, arr_planned))) as dep_local,
        timezone(dest_zone, timezone('America/Sao_Paulo', arr_planned)) as arr_local
    from monthly
)

select
    row_number,

    -- date and time
    null::varchar as year,
    null::varchar as month,
    (case when is_other_month then file_month else day end)::varchar as flight_date,
    null::varchar as weekday,
    strftime(dep_local, '%H%M') as crs_dep_time,
    strftime(arr_local, '%H%M') as crs_arr_time,
    strftime(timezone(origin_zone, timezone('America/Sao_Paulo', dep_real)), '%H%M') as dep_time,
    strftime(timezone(dest_zone, timezone('America/Sao_Paulo', arr_real)), '%H%M') as arr_time,

    -- airline, flight number and airports
    carrier,
    null::varchar as airline_name,
    ltrim(trim(number), '0') as flight_number,
    null::varchar as tail_number,
    origin,
    dest,
    null::varchar as distance_mi,

    -- outcome
    case
        when is_cancelled_flight then null
        when is_as_planned then '0'
        else date_diff('minute', dep_planned, dep_real)::varchar
    end as dep_delay_min,
    case
        when is_cancelled_flight then null
        when is_as_planned then '0'
        else date_diff('minute', arr_planned, arr_real)::varchar
    end as arr_delay_min,
    is_cancelled_flight::integer::varchar as is_cancelled,
    null::varchar as cancellation_code,
    '0' as is_diverted,
    case
        when is_other_month then reject('partida prevista', planned_departure, 'other_month')
        when coalesce(line_type, '') not in ('N', 'I', 'R', 'H', 'E') then reject('código tipo linha', line_type, 'not_passenger')
        when outcome not in ('REALIZADO', 'CANCELADO', 'NÃO INFORMADO')
            then reject('situação voo', outcome, 'unknown_outcome')
        when dep_planned is null and arr_planned is null
            then reject('partida prevista', planned_departure, 'not_scheduled')
        when not is_absent(real_departure) and dep_real is null
            then reject('partida real', real_departure, 'invalid_time')
        when not is_absent(real_arrival) and arr_real is null
            then reject('chegada real', real_arrival, 'invalid_time')
        when carrier is null then reject('icao empresa aérea', airline, 'unknown_airline')
        when origin is null then reject('origem', from_icao, 'unknown_airport')
        when dest is null then reject('destino', to_icao, 'unknown_airport')
        when abs(date_diff('minute', arr_planned, arr_real)) > 1440
            then reject('chegada real', real_arrival, 'delay_over_24_hours')
    end as exclusion
from timed
