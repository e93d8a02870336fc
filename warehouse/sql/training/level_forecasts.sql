-- One row per carrier and airport of arrival: the share of its flights to be expected 15 minutes late or more in a month of
-- the year ($month_of_year). After `estimateLevels`; no rows where no level is to be expected.
with
levels as (
    select
        kind,
        key,
        effect
    from effects
    where as_of = date '9999-01-01'
),

groups as (
    select distinct
        carrier,
        airport
    from intermediate.int_level_counts
),

forecasts as (
    select
        groups.carrier,
        groups.airport,
        expit(ahead.base + ahead.season + carriers.effect + dests.effect + dest_carriers.effect) as late_rate
    from groups
    inner join intermediate.int_level_ahead as ahead on ahead.level = $month_of_year
    inner join levels as carriers on carriers.kind = 'carrier_level' and carriers.key = groups.carrier
    inner join levels as dests on dests.kind = 'dest_level' and dests.key = groups.airport
    inner join levels as dest_carriers
        on dest_carriers.kind = 'dest_carrier_level' and dest_carriers.key = groups.airport || groups.carrier
    order by groups.carrier, groups.airport
)

select * from forecasts
