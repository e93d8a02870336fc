-- The rows on which the model is fitted. One row per month of `int_training_months`, airline-route and scheduled local
-- hour, with the flights and the features of `models/features.ts`. The row has the effects that the store publishes.
-- The months of a forecast quarter also have rows with `is_forecast` = 1. These rows have the effects that were known
-- before the quarter, which are up to three months old. Run this query after `estimateEffects`, called with the
-- forecast quarters. A group without history has the effect 0, as in scores. Half-year effects are rounded as in
-- stores, and then multiplied by the season depth of the month. `level_shift` is the change of the level since the
-- month: the log-odds of delay in the month minus the log-odds that are expected now for the same month of the year.
-- Null if no level is known.
with
flights as (
    select
        effect_days.as_of,
        route_hours.month,
        case when not is_year(route_hours.month) then month(route_hours.month) end as month_of_year,
        route_hours.carrier,
        route_hours.origin,
        route_hours.dest,
        route_hours.crs_dep_hour as local_hour,
        half_year(route_hours.month) as half_year,
        season_depth(route_hours.month)::double as season_depth,
        sum(route_hours.completed_count) as flight_count,
        sum(route_hours.delayed_count) as delayed_count
    from raw.route_hours
    inner join intermediate.int_training_months as training_months using (month, delay_basis)
    inner join effect_days on effect_days.as_of in (date '9999-01-01', training_months.quarter)
    where route_hours.completed_count > 0
    group by all
),

airports as (
    select * from reference.airports
),

months as (
    select
        level,
        ln(odds) as month_odds
    from marts.season_odds
    where kind = 'month'
),

keyed as (
    select
        *,
        effect_key('hour', carrier, origin, dest, local_hour, half_year) as hour_key,
        effect_key('half_year_hour', carrier, origin, dest, local_hour, half_year) as half_year_hour_key,
        effect_key('carrier', carrier, origin, dest, local_hour, half_year) as carrier_key,
        effect_key('origin', carrier, origin, dest, local_hour, half_year) as origin_key,
        effect_key('dest', carrier, origin, dest, local_hour, half_year) as dest_key,
        effect_key('origin_carrier', carrier, origin, dest, local_hour, half_year) as origin_carrier_key,
        effect_key('route', carrier, origin, dest, local_hour, half_year) as route_key,
        effect_key('route_carrier', carrier, origin, dest, local_hour, half_year) as route_carrier_key,
        effect_key('carrier_hours', carrier, origin, dest, local_hour, half_year) as carrier_hours_key,
        effect_key('origin_hours', carrier, origin, dest, local_hour, half_year) as origin_hours_key,
        effect_key('dest_hours', carrier, origin, dest, local_hour, half_year) as dest_hours_key,
        effect_key('route_carrier_hours', carrier, origin, dest, local_hour, half_year) as route_carrier_hours_key,
        effect_key('origin_half_year_hours', carrier, origin, dest, local_hour, half_year) as origin_half_year_hours_key
    from flights
),

training_rows as (
    select
        (keyed.as_of < date '9999-01-01')::integer::double as is_forecast,
        date_diff('month', date '1970-01-01', keyed.month)::double as month_number,
        keyed.flight_count::double as flight_count,
        keyed.delayed_count::double as delayed_count,
        coalesce(months.month_odds, 0) as month_odds,
        level_shift(level_months.log_odds, ahead.base, ahead.season, route_levels.shift) as level_shift,
        coalesce(carrier_level.effect, 0) as carrier_level_effect,
        coalesce(origin_level.effect, 0) as origin_level_effect,
        coalesce(dest_level.effect, 0) as dest_level_effect,
        keyed.season_depth * coalesce(origin_half_year_level.effect, 0)::float as origin_half_year_level_effect,
        keyed.season_depth * coalesce(dest_half_year_level.effect, 0)::float as dest_half_year_level_effect,
        coalesce(origin_carrier_level.effect, 0) as origin_carrier_level_effect,
        coalesce(dest_carrier_level.effect, 0) as dest_carrier_level_effect,
        case when keyed.hour_key is not null then coalesce(hour.effect, 0) end as hour_effect,
        case when keyed.half_year_hour_key is not null then keyed.season_depth * coalesce(half_year_hour.effect, 0)::float end as half_year_hour_effect,
        case when keyed.carrier_key is not null then coalesce(carrier.effect, 0) end as carrier_effect,
        case when keyed.origin_key is not null then coalesce(origin.effect, 0) end as origin_effect,
        case when keyed.dest_key is not null then coalesce(dest.effect, 0) end as dest_effect,
        case when keyed.origin_carrier_key is not null then coalesce(origin_carrier.effect, 0) end as origin_carrier_effect,
        case when keyed.route_key is not null then coalesce(route.effect, 0) end as route_effect,
        case when keyed.route_carrier_key is not null then coalesce(route_carrier.effect, 0) end as route_carrier_effect,
        case when keyed.carrier_hours_key is not null then coalesce(carrier_hours.effect, 0) end as carrier_hours_effect,
        case when keyed.origin_hours_key is not null then coalesce(origin_hours.effect, 0) end as origin_hours_effect,
        case when keyed.dest_hours_key is not null then coalesce(dest_hours.effect, 0) end as dest_hours_effect,
        case when keyed.route_carrier_hours_key is not null then coalesce(route_carrier_hours.effect, 0) end as route_carrier_hours_effect,
        case when keyed.origin_half_year_hours_key is not null then keyed.season_depth * coalesce(origin_half_year_hours.effect, 0)::float end as origin_half_year_hours_effect,
        keyed.local_hour::double as dep_hour,
        2 * 6371 * asin(sqrt(
            power(sin(radians(dests.latitude - origins.latitude) / 2), 2)
            + cos(radians(origins.latitude)) * cos(radians(dests.latitude))
            * power(sin(radians(dests.longitude - origins.longitude) / 2), 2)
        )) as distance_km
    from keyed
    left join effects as carrier_level on carrier_level.as_of = keyed.as_of and carrier_level.kind = 'carrier_level' and carrier_level.key = keyed.carrier
    left join effects as origin_level on origin_level.as_of = keyed.as_of and origin_level.kind = 'origin_level' and origin_level.key = keyed.origin
    left join effects as dest_level on dest_level.as_of = keyed.as_of and dest_level.kind = 'dest_level' and dest_level.key = keyed.dest
    left join effects as origin_half_year_level on origin_half_year_level.as_of = keyed.as_of and origin_half_year_level.kind = 'origin_half_year_level' and origin_half_year_level.key = keyed.origin || keyed.half_year
    left join effects as dest_half_year_level on dest_half_year_level.as_of = keyed.as_of and dest_half_year_level.kind = 'dest_half_year_level' and dest_half_year_level.key = keyed.dest || keyed.half_year
    left join effects as origin_carrier_level on origin_carrier_level.as_of = keyed.as_of and origin_carrier_level.kind = 'origin_carrier_level' and origin_carrier_level.key = keyed.origin || keyed.carrier
    left join effects as dest_carrier_level on dest_carrier_level.as_of = keyed.as_of and dest_carrier_level.kind = 'dest_carrier_level' and dest_carrier_level.key = keyed.dest || keyed.carrier
    left join effects as hour on hour.as_of = keyed.as_of and hour.kind = 'hour' and hour.key = keyed.hour_key
    left join effects as half_year_hour on half_year_hour.as_of = keyed.as_of and half_year_hour.kind = 'half_year_hour' and half_year_hour.key = keyed.half_year_hour_key
    left join effects as carrier on carrier.as_of = keyed.as_of and carrier.kind = 'carrier' and carrier.key = keyed.carrier_key
    left join effects as origin on origin.as_of = keyed.as_of and origin.kind = 'origin' and origin.key = keyed.origin_key
    left join effects as dest on dest.as_of = keyed.as_of and dest.kind = 'dest' and dest.key = keyed.dest_key
    left join effects as origin_carrier on origin_carrier.as_of = keyed.as_of and origin_carrier.kind = 'origin_carrier' and origin_carrier.key = keyed.origin_carrier_key
    left join effects as route on route.as_of = keyed.as_of and route.kind = 'route' and route.key = keyed.route_key
    left join effects as route_carrier on route_carrier.as_of = keyed.as_of and route_carrier.kind = 'route_carrier' and route_carrier.key = keyed.route_carrier_key
    left join effects as carrier_hours on carrier_hours.as_of = keyed.as_of and carrier_hours.kind = 'carrier_hours' and carrier_hours.key = keyed.carrier_hours_key
    left join effects as origin_hours on origin_hours.as_of = keyed.as_of and origin_hours.kind = 'origin_hours' and origin_hours.key = keyed.origin_hours_key
    left join effects as dest_hours on dest_hours.as_of = keyed.as_of and dest_hours.kind = 'dest_hours' and dest_hours.key = keyed.dest_hours_key
    left join effects as route_carrier_hours on route_carrier_hours.as_of = keyed.as_of and route_carrier_hours.kind = 'route_carrier_hours' and route_carrier_hours.key = keyed.route_carrier_hours_key
    left join effects as origin_half_year_hours on origin_half_year_hours.as_of = keyed.as_of and origin_half_year_hours.kind = 'origin_half_year_hours' and origin_half_year_hours.key = keyed.origin_half_year_hours_key
    left join airports as origins on origins.iata = keyed.origin
    left join airports as dests on dests.iata = keyed.dest
    left join months on months.level = keyed.month_of_year
    left join intermediate.int_level_months as level_months on level_months.month = keyed.month
    left join intermediate.int_level_ahead as ahead on ahead.level = month(keyed.month)
    left join route_levels
        on route_levels.as_of = date '9999-01-01'
        and route_levels.month = keyed.month
        and route_levels.carrier = keyed.carrier
        and route_levels.origin = keyed.origin
        and route_levels.dest = keyed.dest
    order by keyed.as_of desc, keyed.month, keyed.carrier, keyed.origin, keyed.dest, keyed.local_hour
)

select * from training_rows
