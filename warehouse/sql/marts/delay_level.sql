-- One row: the level effects and seasons are added to.
-- log_odds: at it, the flights of the newest twelve months have as many delays, by their effects and months, as they had;
-- to a thousandth. Where their levels are known (is_now), by how much they were later then than such flights are now is added
-- to each, and the level is that of now. Of the basis of delay most flights have. delayed_rate: their share. calendar_days:
-- days with dated flights, which weekdays and holidays rest on. Just after `marts/delay_effects`, whose cells it reads.
create or replace table marts.delay_level as
with
cells as (
    select
        carrier,
        origin,
        dest,
        local_hour,
        half_year,
        log_odds - level_log_odds as effects
    from effect_cells
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

-- Flights known at arrival and at departure alone are not late alike: the level is that of what most flights have.
usual_basis as (
    select arg_max(delay_basis, completed_count) as delay_basis
    from (
        select
            delay_basis,
            sum(completed_count) as completed_count
        from raw.route_hours
        group by delay_basis
    ) as by_basis
),

comparable as (
    select
        route_hours.*,
        half_year(month) as half_year
    from raw.route_hours
    inner join usual_basis using (delay_basis)
),

newest as (
    select * from comparable
    where month > (select max(month) - to_months(12) from comparable)
),

expected as (
    select
        newest.completed_count,
        newest.delayed_count,
        cells.effects + coalesce(route_levels.level, 0) + coalesce(seasons.log_odds, 0) as log_odds,
        level_shift(months.log_odds, months.base, months.season, route_levels.shift) as level_shift
    from newest
    inner join cells
        on cells.carrier = newest.carrier
        and cells.origin = newest.origin
        and cells.dest = newest.dest
        and cells.local_hour is not distinct from newest.crs_dep_hour
        and cells.half_year = newest.half_year
    left join route_levels
        on route_levels.as_of = date '9999-01-01'
        and route_levels.month = newest.month
        and route_levels.carrier = newest.carrier
        and route_levels.origin = newest.origin
        and route_levels.dest = newest.dest
    left join months on months.month = newest.month
    left join seasons on seasons.month_of_year = month(newest.month)
),

knowledge as (
    select count(level_shift) > 0 as is_now from expected
),

-- Like flights together: a step of a hundredth hardly moves a level.
flights as (
    select
        round(expected.log_odds + coalesce(expected.level_shift, 0), 2) as log_odds,
        sum(expected.completed_count) as completed_count,
        sum(expected.delayed_count) as delayed_count
    from expected
    cross join knowledge
    where expected.level_shift is not null or not knowledge.is_now
    group by all
),

totals as (
    select
        coalesce(sum(completed_count), 0) as completed_count,
        coalesce(sum(delayed_count), 0) as delayed_count
    from flights
),

-- Never quite none of them, nor all.
rates as (
    select
        delayed_count,
        (delayed_count + 0.5) / (completed_count + 1) as delayed_rate
    from totals
),

steps as (
    select round(logit(rates.delayed_rate) + steps.step / 1000, 3) as level
    from rates
    cross join range(-2000, 2001) as steps (step)
),

levels as (
    select
        steps.level,
        coalesce(sum(flights.completed_count * expit(steps.level + flights.log_odds)), 0) as delayed_count
    from steps
    left join flights on true
    group by all
),

nearest as (
    select levels.level
    from levels
    cross join rates
    order by abs(levels.delayed_count - rates.delayed_count), abs(levels.level)
    limit 1
)

select
    nearest.level as log_odds,
    rates.delayed_rate,
    knowledge.is_now,
    (select count(distinct flight_date) from intermediate.int_calendar_days) as calendar_days
from nearest
cross join rates
cross join knowledge
