-- The cells of one day effects are estimated as of, as numbers; always in the same order, for sums to be the same.
select
    routes.route,
    cells.local_hour as hour,
    (cells.half_year = 'S')::integer as summer,
    date_diff('month', date '1970-01-01', cells.month) as month,
    cells.flight_count::double as flights,
    cells.delayed_count::double as delayed,
    cells.log_odds as "logOdds"
from effect_cells as cells
inner join cell_routes as routes
    on routes.carrier = cells.carrier and routes.origin = coalesce(cells.origin, '') and routes.dest = cells.dest
where cells.as_of = $as_of::date
order by routes.route, cells.month, cells.half_year, cells.local_hour
