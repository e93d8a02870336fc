-- One row per log-odds of delay, to a hundredth, and whether levels are known: the flights of `int_training_months` of which
-- effects, levels and months expect them, beyond the level of all; a step of a hundredth hardly moves that.
-- Where levels are known (is_leveled), by how much the flights were later then than such flights are now is added.
-- Just after `marts/delay_effects`, of whose temporary tables it keeps what `marts/delay_level` rests on.
create or replace table intermediate.int_learned_odds as
with
flights as (
    select
        route_hours.*,
        half_year(month) as half_year
    from raw.route_hours
    inner join intermediate.int_training_months using (month, delay_basis)
    where completed_count > 0
),

cells as (
    select
        routes.carrier,
        routes.origin,
        routes.dest,
        cells.local_hour,
        case cells.summer when 1 then 'S' else 'W' end as half_year,
        cells.effects
    from fitted_cells as cells
    inner join cell_routes as routes using (route)
),

months as (
    select
        level_months.month,
        level_months.log_odds,
        ahead.base,
        ahead.season
    from intermediate.int_level_months as level_months
    inner join intermediate.int_level_ahead as ahead on ahead.level = month(level_months.month)
),

seasons as (
    select
        level as month_of_year,
        ln(odds) as log_odds
    from marts.season_odds
    where kind = 'month'
),

expected as (
    select
        flights.completed_count,
        flights.delayed_count,
        cells.effects + coalesce(route_levels.level, 0) + coalesce(seasons.log_odds, 0) as log_odds,
        level_shift(months.log_odds, months.base, months.season, route_levels.shift) as level_shift
    from flights
    inner join cells
        on cells.carrier = flights.carrier
        and cells.origin = flights.origin
        and cells.dest = flights.dest
        and cells.local_hour is not distinct from flights.crs_dep_hour
        and cells.half_year = flights.half_year
    left join route_levels
        on route_levels.as_of = date '9999-01-01'
        and route_levels.month = flights.month
        and route_levels.carrier = flights.carrier
        and route_levels.origin = flights.origin
        and route_levels.dest = flights.dest
    left join months on months.month = flights.month
    left join seasons on seasons.month_of_year = month(flights.month)
),

learned_odds as (
    select
        level_shift is not null as is_leveled,
        round(log_odds + coalesce(level_shift, 0), 2) as log_odds,
        sum(completed_count)::bigint as completed_count,
        sum(delayed_count)::bigint as delayed_count
    from expected
    group by all
    order by all
)

select * from learned_odds
