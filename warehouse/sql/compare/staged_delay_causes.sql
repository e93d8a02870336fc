-- The flights of the delay-cause table, counted by month, airline and airport of arrival. The table has no days.
insert into staged_routes by name
select
    month,
    carrier,
    airport as origin,
    null::varchar as dest,
    sum(arr_flights)::bigint as flights,
    sum(arr_flights)::bigint as timed,
    sum(arr_flights)::bigint as arrivals,
    0 as branded
from checked_delay_causes
where reject is null and month is not null and not is_empty
group by all
