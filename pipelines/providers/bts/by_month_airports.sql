-- One row per departure from 325 airports in 2018, dated by month only; the file has names of airlines, not codes.
create or replace temp view by_month_airports as
select
    -- date and time
    year,
    month,
    null::varchar as flight_date,
    null::varchar as weekday,
    "scheduled departure time" as crs_dep_time,
    "scheduled arrival time" as crs_arr_time,
    null::varchar as dep_time,
    null::varchar as arr_time,

    -- airline, flight number and airports
    getvariable('carrier_by_name')[trim(airline)] as carrier,
    airline as airline_name,
    null::varchar as flight_number,
    null::varchar as tail_number,
    origin,
    destination as dest,
    null::varchar as distance_mi,

    -- outcome; a flight that was not cancelled and has no arrival delay was diverted
    "departure delay time (mins)" as dep_delay_min,
    "arrival delay time (mins)" as arr_delay_min,
    "flight cancellation" as is_cancelled,
    case trim("cancellation reason")
        when 'Airline' then 'A'
        when 'Weather' then 'B'
        when 'National Air System' then 'C'
        when 'Security' then 'D'
        else "cancellation reason"
    end as cancellation_code,
    case
        when as_number("flight cancellation") = 0 and is_absent("arrival delay time (mins)") then '1'
        else '0'
    end as is_diverted
from source
