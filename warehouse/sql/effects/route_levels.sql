-- One row per as-of day, earlier month with flights, and airline-route, with the level of the airline and the airports
-- of the route, in log-odds. `level` is the current level. `shift` is the level in the earlier month minus the current
-- level. If no level is known, both are 0.
create or replace temp table route_levels as
with
months as (
    select distinct
        effect_days.as_of,
        route_flights.month
    from route_flights
    inner join effect_days on route_flights.month < effect_days.as_of
),

flown_routes as (
    select distinct
        month,
        route
    from route_flights
),

route_months as (
    select
        months.as_of,
        month,
        route,
        routes.carrier,
        routes.origin,
        routes.dest
    from flown_routes
    inner join months using (month)
    inner join cell_routes as routes using (route)
),

routes as (
    select distinct
        as_of,
        half_year(month) as half_year,
        route,
        carrier,
        origin,
        dest
    from route_months
),

now_levels as (
    select
        routes.*,
        coalesce(carriers.effect, 0) + coalesce(dests.effect, 0) + coalesce(dest_carriers.effect, 0)
        + coalesce(origins.effect, 0) + coalesce(origin_carriers.effect, 0) as level,
        coalesce(dest_half_years.effect, 0) + coalesce(origin_half_years.effect, 0) as half_year_level
    from routes
    left join effects as carriers
        on carriers.as_of = routes.as_of and carriers.kind = 'carrier_level' and carriers.key = carrier
    left join effects as dests
        on dests.as_of = routes.as_of and dests.kind = 'dest_level' and dests.key = dest
    left join effects as dest_half_years
        on dest_half_years.as_of = routes.as_of
        and dest_half_years.kind = 'dest_half_year_level'
        and dest_half_years.key = dest || half_year
    left join effects as dest_carriers
        on dest_carriers.as_of = routes.as_of
        and dest_carriers.kind = 'dest_carrier_level'
        and dest_carriers.key = dest || carrier
    left join effects as origins
        on origins.as_of = routes.as_of and origins.kind = 'origin_level' and origins.key = origin
    left join effects as origin_half_years
        on origin_half_years.as_of = routes.as_of
        and origin_half_years.kind = 'origin_half_year_level'
        and origin_half_years.key = origin || half_year
    left join effects as origin_carriers
        on origin_carriers.as_of = routes.as_of
        and origin_carriers.kind = 'origin_carrier_level'
        and origin_carriers.key = origin || carrier
),

ends as (
    select as_of, month, carrier, origin as airport from route_months
    union
    select as_of, month, carrier, dest as airport from route_months
),

end_shifts as (
    select
        ends.*,
        coalesce(airports.effect, 0) + coalesce(airport_carriers.effect, 0) as shift
    from ends
    left join effects as airports
        on airports.as_of = ends.as_of and airports.kind = 'dest_month' and airports.key = airport || month
    left join effects as airport_carriers
        on airport_carriers.as_of = ends.as_of
        and airport_carriers.kind = 'dest_carrier_month'
        and airport_carriers.key = airport || carrier || month
    where airports.effect is not null
),

carrier_shifts as (
    select
        as_of,
        key,
        effect as shift
    from effects
    where kind = 'carrier_month'
)

select
    route_months.*,
    now_levels.level + season_depth(route_months.month) * now_levels.half_year_level as level,
    coalesce(carriers.shift, 0) + coalesce(dests.shift, 0) + departure_share() * coalesce(origins.shift, 0) as shift
from route_months
inner join now_levels
    on now_levels.as_of = route_months.as_of
    and now_levels.half_year = half_year(route_months.month)
    and now_levels.route = route_months.route
left join carrier_shifts as carriers
    on carriers.as_of = route_months.as_of and carriers.key = route_months.carrier || route_months.month
left join end_shifts as dests
    on dests.as_of = route_months.as_of
    and dests.month = route_months.month
    and dests.carrier = route_months.carrier
    and dests.airport = route_months.dest
left join end_shifts as origins
    on origins.as_of = route_months.as_of
    and origins.month = route_months.month
    and origins.carrier = route_months.carrier
    and origins.airport = route_months.origin
