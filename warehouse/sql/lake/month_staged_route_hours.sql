-- The rows of month_route_hours for a month, which were counted for all months of the source at once.
select * from staged_route_hours
where month = $month::date
order by carrier, origin, dest, crs_dep_hour, brand, delay_basis
