-- One row per as-of day, month, carrier and airport of arrival, with the number of flights that arrived in the month,
-- and how many of them were 15 minutes late or more. A month has rows only if its flights are loaded and if its
-- delay-cause table was published by the as-of day.
-- `log_odds` is the expected share of late flights, as log-odds. It follows from the level of the month and from the
-- levels of the airline and the airport, so these levels must be estimated first.
-- Old and recent flights have the same weight, because each month is estimated separately.
create or replace temp table effect_cells as
select
    effect_days.as_of,
    cell_routes.route,
    null::tinyint as local_hour,
    null::varchar as half_year,
    null::double as season_depth,
    counts.month,
    counts.arrived_count::decimal(28, 6) as flight_count,
    counts.late_count::decimal(28, 6) as delayed_count,
    months.log_odds + carriers.effect + dests.effect + dest_carriers.effect
    + season_depth(counts.month) * half_years.effect as log_odds
from intermediate.int_level_counts as counts
inner join cell_routes on cell_routes.carrier = counts.carrier and cell_routes.dest = counts.airport
inner join intermediate.int_level_months as months using (month)
inner join effect_days on published_from(counts.month) <= effect_days.as_of
inner join effects as carriers
    on carriers.as_of = effect_days.as_of and carriers.kind = 'carrier_level' and carriers.key = counts.carrier
inner join effects as dests
    on dests.as_of = effect_days.as_of and dests.kind = 'dest_level' and dests.key = counts.airport
inner join effects as half_years
    on half_years.as_of = effect_days.as_of
    and half_years.kind = 'dest_half_year_level'
    and half_years.key = counts.airport || half_year(counts.month)
inner join effects as dest_carriers
    on dest_carriers.as_of = effect_days.as_of
    and dest_carriers.kind = 'dest_carrier_level'
    and dest_carriers.key = counts.airport || counts.carrier
where counts.month in (select month from raw.lake_months)
