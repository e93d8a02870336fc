-- One row per flight of a BTS download with short column names, with or without arrival delays.
create or replace temp view bts_short as
select
    -- date and time
    year,
    month,
    fl_date as flight_date,
    null::varchar as weekday,
    crs_dep_time,
    crs_arr_time,
    dep_time,
    arr_time,

    -- airline, flight number and airports
    coalesce(op_unique_carrier, op_carrier) as carrier,
    null::varchar as airline_name,
    op_carrier_fl_num as flight_number,
    tail_num as tail_number,
    coalesce(mkt_carrier, mkt_unique_carrier) as brand,
    mkt_carrier_fl_num as brand_flight_number,
    origin,
    dest,
    distance as distance_mi,

    -- outcome; columns ending in `_NEW` have 0 for early flights
    coalesce(dep_delay, dep_delay_new) as dep_delay_min,
    coalesce(arr_delay, arr_delay_new) as arr_delay_min,
    cancelled as is_cancelled,
    -- Some copies have 0 instead of an empty cell for a flight that was not cancelled.
    case when trim(cancellation_code) <> '0' then cancellation_code end as cancellation_code,
    -- If a download lacks DIVERTED, a flight counts as diverted if it took off and has no arrival delay. If the
    -- download has no arrivals at all, diverted flights cannot be identified.
    case
        when diverted is not null or getvariable('delay_basis') = 'departure' then diverted
        when as_number(cancelled) = 0 and as_number(coalesce(arr_delay, arr_delay_new)) is null then '1'
        else '0'
    end as is_diverted
from source
