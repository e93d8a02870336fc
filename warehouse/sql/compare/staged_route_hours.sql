-- The valid sums of a source, counted by month and route. The source has no days.
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
from checked_route_hours
where reject is null and month is not null
group by all
