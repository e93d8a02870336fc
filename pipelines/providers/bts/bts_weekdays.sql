-- One row per flight with the short column names of BTS. A flight has a month and a weekday but no date, and its time
-- may be rounded to the hour.
create or replace temp view bts_weekdays as
select
    -- date and time
    year,
    month,
    null::varchar as flight_date,
    day_of_week as weekday,
    crs_dep_time,
    null::varchar as crs_arr_time,
    null::varchar as dep_time,
    null::varchar as arr_time,

    -- airline, flight number and airports
    coalesce(op_unique_carrier, op_carrier) as carrier,
    null::varchar as airline_name,
    null::varchar as flight_number,
    null::varchar as tail_number,
    origin,
    dest,
    null::varchar as distance_mi,

    -- outcome; ARR_DELAY_NEW is 0 for early flights
    null::varchar as dep_delay_min,
    coalesce(arr_delay, arr_delay_new) as arr_delay_min,
    cancelled as is_cancelled,
    null::varchar as cancellation_code,
    coalesce(
        diverted,
        case when as_number(cancelled) = 0 and as_number(coalesce(arr_delay, arr_delay_new)) is null then '1' else '0' end
    ) as is_diverted
from source
