-- One row per origin, dest, carrier and scheduled local departure hour, with the number of flights; recent months have
-- more weight. Values are rounded, because the last bit of a sum of fractions depends on the order of the rows.
create or replace table marts.route_carrier_hours as
select
    route_hours.origin,
    route_hours.dest,
    route_hours.carrier,
    route_hours.crs_dep_hour as local_hour,
    round(sum(route_hours.flight_count * weights.weight), 3) as weighted_flight_count
from raw.route_hours as route_hours
inner join intermediate.int_month_weights as weights using (month)
where route_hours.crs_dep_hour is not null
group by all
order by all
