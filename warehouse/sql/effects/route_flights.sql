-- One row per airline-route with flights, numbered from 0. Joins on a number are faster than joins on three codes.
create or replace temp table cell_routes as
with
routes as (
    select distinct
        carrier,
        origin,
        dest
    from raw.route_hours
)

select
    (row_number() over (order by carrier, origin, dest) - 1)::integer as route,
    carrier,
    origin,
    dest
from routes;

-- One row per month, delay basis, airline-route and scheduled local departure hour, with the number of completed
-- flights.
create or replace temp table route_flights as
select
    month,
    delay_basis = 'arrival' as is_by_arrival,
    route,
    crs_dep_hour as local_hour,
    completed_count,
    delayed_count
from raw.route_hours
inner join cell_routes using (carrier, origin, dest)
where completed_count > 0
