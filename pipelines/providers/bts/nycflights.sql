-- One row per flight in the form of the nycflights13 R package.
-- The package has no columns that mark cancelled or diverted flights. A cancelled flight has no departure time. A
-- diverted flight has a departure time but no arrival delay.
create or replace temp view nycflights as
select
    -- date and time
    year,
    month,
    concat_ws('-', year, month, day) as flight_date,
    null::varchar as weekday,
    sched_dep_time as crs_dep_time,
    sched_arr_time as crs_arr_time,
    dep_time,
    arr_time,

    -- airline, flight number and airports
    carrier,
    null::varchar as airline_name,
    flight as flight_number,
    tailnum as tail_number,
    origin,
    dest,
    distance as distance_mi,

    -- outcome
    dep_delay as dep_delay_min,
    arr_delay as arr_delay_min,
    case when is_absent(dep_time) then '1' else '0' end as is_cancelled,
    null::varchar as cancellation_code,
    case when not is_absent(dep_time) and is_absent(arr_delay) then '1' else '0' end as is_diverted
from source
