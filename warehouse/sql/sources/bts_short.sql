-- One row per flight of a BTS download with short column names, with an arrival delay or without.
create or replace temp view bts_short as
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

    -- how it went; the columns `_NEW` say 0 for early
    coalesce(dep_delay, dep_delay_new) as dep_delay_min,
    coalesce(arr_delay, arr_delay_new) as arr_delay_min,
    cancelled as is_cancelled,
    cancellation_code,
    -- Some downloads leave DIVERTED out: a flight that took off and has no arrival delay was diverted. Where no flight
    -- has an arrival, it cannot be told from others.
    case
        when diverted is not null or getvariable('delay_basis') = 'departure' then diverted
        when as_number(cancelled) = 0 and as_number(coalesce(arr_delay, arr_delay_new)) is null then '1'
        else '0'
    end as is_diverted
from source
