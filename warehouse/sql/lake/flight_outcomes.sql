-- One row per good flight of checked_flights, with how it went. A flight is completed when it was neither cancelled nor
-- diverted and its delay is known; completed_delay_min and is_delayed (strictly more than 30 minutes) are null for the others, so
-- that delays count completed ones only.
create or replace temp view flight_outcomes as
select
    month,
    flight_date,
    weekday,
    carrier,
    origin,
    dest,
    crs_dep_time,
    crs_arr_time,
    is_cancelled,
    coalesce(is_diverted, false) and not is_cancelled as is_diverted,
    case
        when is_cancelled or coalesce(is_diverted, false) then null
        when getvariable('delay_basis') = 'arrival' then arr_delay_min
        else dep_delay_min
    end as completed_delay_min,
    completed_delay_min > 30 as is_delayed
from checked_flights
where reject is null
