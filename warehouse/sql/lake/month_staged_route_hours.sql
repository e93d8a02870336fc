-- Selects the rows of one month. month_route_hours has counted the rows of all months of the source at once.
select * from staged_route_hours
where month = $month::date
order by carrier, origin, dest, crs_dep_hour, brand, delay_basis
