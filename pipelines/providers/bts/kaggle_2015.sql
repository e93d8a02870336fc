-- One row per flight in the U.S. Department of Transportation's data set for 2015, as published on Kaggle.
create or replace temp view kaggle_2015 as
select
    -- date and time
    year,
    month,
    concat_ws('-', year, month, day) as flight_date,
    null::varchar as weekday,
    scheduled_departure as crs_dep_time,
    scheduled_arrival as crs_arr_time,
    departure_time as dep_time,
    arrival_time as arr_time,

    -- airline, flight number and airports
    airline as carrier,
    null::varchar as airline_name,
    flight_number,
    tail_number,
    origin_airport as origin,
    destination_airport as dest,
    distance as distance_mi,

    -- outcome
    departure_delay as dep_delay_min,
    arrival_delay as arr_delay_min,
    cancelled as is_cancelled,
    cancellation_reason as cancellation_code,
    coalesce(
        diverted,
        case when as_number(cancelled) = 0 and as_number(arrival_delay) is null then '1' else '0' end
    ) as is_diverted
from source
