-- The valid flights of a source, counted by month and route, and by day. `timed` counts flights with a departure time,
-- `arrivals` counts flights of a source with arrival delays.
insert into staged_routes by name
select
    month,
    carrier,
    origin,
    dest,
    count(*) as flights,
    count(crs_dep_time) as timed,
    count(*) filter (where getvariable('delay_basis') = 'arrival') as arrivals
from checked_flights
where reject is null and month is not null
group by all;

insert into staged_days by name
select
    month,
    carrier,
    origin as airport,
    flight_date,
    count(*) as flights
from checked_flights
where reject is null and flight_date is not null and month is not null
group by all
