-- One row per departure with its date and the name of its airline, without a time of day. A flight without a departure
-- delay was cancelled. About 1 in 150 cancelled flights had already left the gate. Such a flight has a delay here, so
-- it is loaded as flown. The figure of 1 in 150 comes from airlines with equal numbers of flights here and in the
-- monthly table: the monthly table has that many more cancellations.
create or replace temp view named_departures as
select
    -- date and time
    null::varchar as year,
    null::varchar as month,
    flightdate as flight_date,
    null::varchar as weekday,
    null::varchar as crs_dep_time,
    null::varchar as crs_arr_time,
    null::varchar as dep_time,
    null::varchar as arr_time,

    -- airline, flight number and airports
    getvariable('carrier_by_name')[trim(airline)] as carrier,
    airline as airline_name,
    null::varchar as flight_number,
    null::varchar as tail_number,
    origin,
    dest,
    null::varchar as distance_mi,

    -- outcome
    depdelay as dep_delay_min,
    null::varchar as arr_delay_min,
    case when is_absent(depdelay) then '1' else '0' end as is_cancelled,
    null::varchar as cancellation_code,
    null::varchar as is_diverted
from source
