-- The group a flight belongs to on a level, in the order of `warehouse/effects.ts`; null where the hour is needed and unknown.
create or replace temp macro effect_key(level, carrier, origin, dest, local_hour) as case level
    when 1 then local_hour::varchar
    when 2 then carrier
    when 3 then origin
    when 4 then dest
    when 5 then origin || carrier
    when 6 then origin || dest
    when 7 then origin || dest || carrier
    when 8 then carrier || '@' || local_hour // 3
    when 9 then origin || '@' || local_hour // 2
    when 10 then dest || '@' || local_hour // 3
    when 11 then origin || dest || carrier || '@' || local_hour // 4
end;

-- One row per held-out month, airline-route and scheduled local departure hour: its flights, weighted by recency.
-- Months from $held_out_from on are held out one by one, and kept apart; older ones are one row. log_odds is what is
-- expected before any effect: the level of the months themselves, so that a bad month is no group's fault.
-- Sums are decimals: exact in whatever order they are taken.
create or replace temp table effect_cells as
with
weights as (
    select * from intermediate.int_month_weights
),

route_hours as (
    select * from raw.route_hours
),

month_rates as (
    select
        month,
        (sum(delayed_count) + 0.5) / (sum(completed_count) + 1) as delayed_rate
    from route_hours
    group by month
),

counted as (
    select
        case
            when route_hours.month >= $held_out_from::date then route_hours.month else date '0001-01-01'
        end as held_out,
        route_hours.carrier,
        route_hours.origin,
        route_hours.dest,
        route_hours.crs_dep_hour as local_hour,
        sum(route_hours.completed_count * weights.weight) as flight_count,
        sum(route_hours.delayed_count * weights.weight) as delayed_count,
        sum((route_hours.completed_count * weights.weight::double * month_rates.delayed_rate)::decimal(28, 9)) as expected_count
    from route_hours
    inner join weights using (month)
    inner join month_rates using (month)
    where route_hours.completed_count > 0
    group by all
)

select
    held_out,
    carrier,
    origin,
    dest,
    local_hour,
    flight_count::decimal(28, 6) as flight_count,
    delayed_count::decimal(28, 6) as delayed_count,
    round(logit(expected_count::double / flight_count::double), 9) as month_log_odds,
    month_log_odds as log_odds,
    []::double[] as effects
from counted
where flight_count > 0;

create or replace temp table effects as
select
    null::varchar as kind,
    null::varchar as key,
    null::double as effect
limit 0
