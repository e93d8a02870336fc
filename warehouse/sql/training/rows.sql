-- What the model is fitted on: flights by month, airline-route and scheduled local hour, with the features of
-- `models/features.ts`. is_forecast: the effects are those known before the month, up to three months earlier; the others
-- are the months themselves with the effects that are served. After `estimateEffects`.
with
cells as (
    select * from effect_cells
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

training_rows as (
    select
        (cells.as_of < date '9999-01-01')::integer::double as is_forecast,
        date_diff('month', date '1970-01-01', cells.month)::double as month_number,
        cells.flight_count::double as flight_count,
        cells.delayed_count::double as delayed_count,
        coalesce(months.month_odds, 0) as month_odds,
        cells.effects[1] as hour_effect,
        cells.effects[2] as half_year_hour_effect,
        cells.effects[3] as carrier_effect,
        cells.effects[4] as origin_effect,
        cells.effects[5] as dest_effect,
        cells.effects[6] as origin_carrier_effect,
        cells.effects[7] as route_effect,
        cells.effects[8] as route_carrier_effect,
        cells.effects[9] as carrier_hours_effect,
        cells.effects[10] as origin_hours_effect,
        cells.effects[11] as dest_hours_effect,
        cells.effects[12] as route_carrier_hours_effect,
        cells.effects[13] as origin_half_year_hours_effect,
        cells.local_hour::double as dep_hour,
        2 * 6371 * asin(sqrt(
            power(sin(radians(dests.latitude - origins.latitude) / 2), 2)
            + cos(radians(origins.latitude)) * cos(radians(dests.latitude))
            * power(sin(radians(dests.longitude - origins.longitude) / 2), 2)
        )) as distance_km
    from cells
    left join airports as origins on origins.iata = cells.origin
    left join airports as dests on dests.iata = cells.dest
    left join months on months.level = month(cells.month)
    where not cells.is_history
    order by cells.as_of, cells.month, cells.carrier, cells.origin, cells.dest, cells.local_hour
)

select * from training_rows
