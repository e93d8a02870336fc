-- One row per `log_odds` and `is_leveled`, with the numbers of completed and of delayed flights in the months of
-- `int_training_months`. `log_odds` is the delay that effects, levels and months of the year predict for a flight,
-- relative to the overall level.
-- `marts/delay_level` computes the overall level from this table; the rounding hardly changes it. If levels are known
-- (`is_leveled`), `log_odds` includes the change of the level from the month of the flight to now. This table is built
-- right after `marts/delay_effects`, from its temporary tables.
--   is_leveled: whether levels are known
--   log_odds: expected log-odds, rounded to 0.01
create or replace table intermediate.int_learned_odds as
with
-- `summer` is 1 from April to September; `fitted_cells` has the same column.
flights as (
    select
        flights.month,
        case when not is_year(flights.month) then month(flights.month) end as month_of_year,
        flights.route,
        flights.local_hour,
        (half_year(flights.month) = 'S')::tinyint as summer,
        flights.completed_count,
        flights.delayed_count
    from route_flights as flights
    inner join intermediate.int_training_months as training_months
        on training_months.month = flights.month
        and (training_months.delay_basis = 'arrival') = flights.is_by_arrival
),

levels as (
    select
        month,
        route,
        level,
        shift
    from route_levels
    where as_of = date '9999-01-01'
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
        cells.effects + season_depth(flights.month) * cells.half_year_effects
        + coalesce(levels.level, 0) + coalesce(seasons.log_odds, 0) as log_odds,
        level_shift(months.log_odds, months.base, months.season, levels.shift) as level_shift
    from flights
    inner join fitted_cells as cells
        on cells.route = flights.route
        and cells.summer = flights.summer
        and cells.local_hour is not distinct from flights.local_hour
    left join levels on levels.month = flights.month and levels.route = flights.route
    left join months on months.month = flights.month
    left join seasons using (month_of_year)
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
