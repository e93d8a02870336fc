-- One row per flight of 16 carriers in 2018, dated by month only; the request supplies the year.
create or replace temp view by_month_carriers as
select
    -- date and time
    getvariable('source_year')::varchar as year,
    fl_month as month,
    null::varchar as flight_date,
    null::varchar as weekday,
    crs_dep_time,
    null::varchar as crs_arr_time,
    null::varchar as dep_time,
    null::varchar as arr_time,

    -- airline, flight number and airports
    op_carrier as carrier,
    null::varchar as airline_name,
    null::varchar as flight_number,
    null::varchar as tail_number,
    origin,
    dest,
    null::varchar as distance_mi,

    -- outcome; a flight that was not cancelled and has no arrival delay was diverted
    null::varchar as dep_delay_min,
    arr_delay as arr_delay_min,
    cancelled as is_cancelled,
    null::varchar as cancellation_code,
    case when as_number(cancelled) = 0 and is_absent(arr_delay) then '1' else '0' end as is_diverted
from source
