-- The valid flights of a source, counted by day. Only needed for the comparison with a current version.
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
