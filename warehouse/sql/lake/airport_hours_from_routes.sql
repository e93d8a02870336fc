-- Fills raw.airport_hours for a month without a lake file of airport hours, from the departures in its route hours.
insert into raw.airport_hours by name
select
    month,
    origin as airport,
    crs_dep_hour as local_hour,
    sum(flight_count)::integer as crs_dep_count,
    sum(completed_count)::integer as completed_count,
    sum(delayed_count)::integer as delayed_count
from raw.route_hours
where
    month = $firstDay::date
    and crs_dep_hour is not null
group by all
