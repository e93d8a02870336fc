-- One row per departure with its date, the name of its airline and no time of day.
-- A flight without a departure delay was cancelled. Of those cancelled about 1 in 150 had left the gate, and counts as
-- flown: so many the monthly table has more, of airlines whose months agree to the flight.
create or replace temp view named_departures as
select
    -- when
    null::varchar as year,
    null::varchar as month,
    flightdate as flight_date,
    null::varchar as weekday,
    null::varchar as crs_dep_time,
    null::varchar as crs_arr_time,
    null::varchar as dep_time,
    null::varchar as arr_time,

    -- who and where
    getvariable('carrier_by_name')[trim(airline)] as carrier,
    airline as airline_name,
    null::varchar as flight_number,
    null::varchar as tail_number,
    origin,
    dest,
    null::varchar as distance_mi,

    -- how it went
    depdelay as dep_delay_min,
    null::varchar as arr_delay_min,
    case when is_absent(depdelay) then '1' else '0' end as is_cancelled,
    null::varchar as cancellation_code,
    null::varchar as is_diverted
from source
