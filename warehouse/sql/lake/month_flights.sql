-- One row per flight of the month, in the order of the source.
select
    flight_date,
    weekday,
    carrier,
    flight_number,
    tail_number,
    origin,
    dest,
    crs_dep_time,
    crs_arr_time,
    dep_time,
    arr_time,
    dep_delay_min,
    arr_delay_min,
    is_cancelled,
    cancellation_code,
    is_diverted,
    distance_mi
from checked_flights
where
    month = $month::date
    and reject is null
order by rowid
