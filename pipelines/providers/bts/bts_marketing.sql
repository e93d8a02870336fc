-- One row per flight of a BTS monthly file: On_Time_Marketing_Carrier_On_Time_Performance, 119 columns, from 2018 on.
-- The file includes flights of operators that do not report by themselves. `Duplicate` is Y if the flight was operated
-- by another partner airline than the scheduled one. Despite the name, no other row has the same flight.
create or replace temp view bts_marketing as
select
    -- date and time
    year,
    month,
    flightdate as flight_date,
    null::varchar as weekday,
    crsdeptime as crs_dep_time,
    crsarrtime as crs_arr_time,
    deptime as dep_time,
    arrtime as arr_time,

    -- airline, flight number and airports; some cancelled flights lack the operator's number, so they get the number on
    -- the ticket
    iata_code_operating_airline as carrier,
    null::varchar as airline_name,
    case
        when is_absent(flight_number_operating_airline) then flight_number_marketing_airline
        else flight_number_operating_airline
    end as flight_number,
    tail_number,
    iata_code_marketing_airline as brand,
    flight_number_marketing_airline as brand_flight_number,
    origin,
    dest,
    distance as distance_mi,

    -- outcome
    depdelay as dep_delay_min,
    arrdelay as arr_delay_min,
    cancelled as is_cancelled,
    cancellationcode as cancellation_code,
    diverted as is_diverted
from source
