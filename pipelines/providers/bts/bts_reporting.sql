-- One row per flight of a BTS monthly file: On_Time_Reporting_Carrier_On_Time_Performance, 109 columns.
-- Files of months before 2018 use other column names for the carrier, the flight number and the plane.
create or replace temp view bts_reporting as
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

    -- airline, flight number and airports; IATA codes have two characters, but Reporting_Airline may be `PA (1)`
    coalesce(iata_code_reporting_airline, carrier) as carrier,
    null::varchar as airline_name,
    coalesce(flight_number_reporting_airline, flightnum) as flight_number,
    coalesce(tail_number, tailnum) as tail_number,
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
