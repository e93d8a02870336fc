-- One row per valid flight of checked_flights, with its outcome. A flight is completed if it was neither cancelled nor
-- diverted and its delay is known. completed_delay_min and is_delayed (more than 30 minutes late) are null for all
-- other flights, so that figures of delays only count completed flights. In a mixed source, the delay at an end of the
-- flight is known if both the scheduled and the actual time there are known. A flight has the delay at arrival if it is
-- known, otherwise the delay at departure.
create or replace temp view flight_outcomes as
select
    month,
    flight_date,
    weekday,
    carrier,
    brand,
    origin,
    dest,
    crs_dep_time,
    crs_arr_time,
    case
        when getvariable('delay_basis') <> 'mixed' then getvariable('delay_basis')
        when arr_delay_min is not null then 'arrival'
        when crs_arr_time is null or dep_delay_min is not null then 'departure'
        else 'arrival'
    end as flight_basis,
    is_cancelled,
    coalesce(is_diverted, false) and not is_cancelled as is_diverted,
    case
        when is_cancelled or coalesce(is_diverted, false) then null
        when flight_basis = 'arrival' then arr_delay_min
        else dep_delay_min
    end as completed_delay_min,
    completed_delay_min > 30 as is_delayed
from checked_flights
where reject is null
