-- One row per month, airport, ISO weekday and local hour: scheduled movements, and how the departures went.
-- weekday is null where the source has no dates, crs_arr_count where it has no arrival times.
create table raw.airport_hours (
    month date not null,
    airport varchar not null,
    weekday tinyint,
    local_hour tinyint not null,
    crs_dep_count integer not null,
    crs_arr_count integer,
    completed_count integer not null,
    delayed_count integer not null
);

-- Months loaded before this table existed have their departures in the route hours.
insert into raw.airport_hours
select
    month,
    origin as airport,
    null as weekday,
    crs_dep_hour as local_hour,
    sum(flight_count) as crs_dep_count,
    null as crs_arr_count,
    sum(completed_count) as completed_count,
    sum(delayed_count) as delayed_count
from raw.route_hours
where crs_dep_hour is not null
group by month, origin, crs_dep_hour;
