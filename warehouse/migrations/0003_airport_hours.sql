-- One row per month, airport, ISO weekday and local hour: scheduled movements, and the delays of the departures.
-- weekday is null if the source has no dates; crs_arr_count is null if it has no arrival times.
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

-- Months loaded before this table existed get their departures from the route hours.
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
