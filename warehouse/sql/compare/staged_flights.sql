-- Counts the valid flights of a source. `staged_routes` gets the counts of each month and airline-route.
-- `staged_months` gets the number of days with flights in each month.
insert into staged_routes by name
select
    month,
    carrier,
    origin,
    dest,
    sum(flight_count)::bigint as flights,
    coalesce(sum(flight_count) filter (where crs_dep_hour is not null), 0)::bigint as timed,
    coalesce(sum(flight_count) filter (where delay_basis = 'arrival'), 0)::bigint as arrivals,
    coalesce(sum(flight_count) filter (where brand is not null), 0)::bigint as branded
from staged_route_hours
group by all;

insert into staged_months by name
select
    month,
    count(distinct flight_date) as day_count
from checked_flights
where reject is null and flight_date is not null and month is not null
group by all
