-- One row per flight of a BTS download with short column names and no arrival at all.
-- Without an arrival a diverted flight cannot be told from others where DIVERTED is left out.
create or replace temp view bts_short_departures as
select
    -- when
    year,
    month,
    fl_date as flight_date,
    null::varchar as weekday,
    crs_dep_time,
    crs_arr_time,
    dep_time,
    arr_time,

    -- who and where
    coalesce(op_unique_carrier, op_carrier) as carrier,
    null::varchar as airline_name,
    op_carrier_fl_num as flight_number,
    tail_num as tail_number,
    origin,
    dest,
    distance as distance_mi,

    -- how it went; DEP_DELAY_NEW says 0 for early
    coalesce(dep_delay, dep_delay_new) as dep_delay_min,
    null::varchar as arr_delay_min,
    cancelled as is_cancelled,
    cancellation_code,
    diverted as is_diverted
from source
