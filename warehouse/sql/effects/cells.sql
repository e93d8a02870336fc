-- S from April to September, W from October to March.
create or replace temp macro half_year(month) as case when month(month) between 4 and 9 then 'S' else 'W' end;

-- The group a flight belongs to on a level, in the order of `warehouse/build/effects.ts`; null where the hour is needed and unknown.
create or replace temp macro effect_key(level, carrier, origin, dest, local_hour, half_year) as case level
    when 1 then local_hour::varchar
    when 2 then half_year || local_hour
    when 3 then carrier
    when 4 then origin
    when 5 then dest
    when 6 then origin || carrier
    when 7 then origin || dest
    when 8 then origin || dest || carrier
    when 9 then carrier || '@' || local_hour // 3
    when 10 then origin || '@' || local_hour // 2
    when 11 then dest || '@' || local_hour // 3
    when 12 then origin || dest || carrier || '@' || local_hour // 4
    when 13 then origin || '@' || half_year || local_hour // 3
end;

-- The days effects are estimated as of: the end of time for those that are served and, from $rows_from on, the first day
-- of every third month that has history before it, counted back from the newest.
create or replace temp table effect_days as
with
span as (
    select
        min(month) as first_month,
        max(month) as last_month
    from raw.lake_months
),

quarters as (
    select (last_month - to_months(quarter::integer * 3 + 2))::date as as_of
    from span
    cross join range(0, 4) as quarters (quarter)
)

select quarters.as_of
from quarters
cross join span
where quarters.as_of > span.first_month and quarters.as_of >= $rows_from::date
union all
select date '9999-01-01';

-- One row per day effects are estimated as of, airline-route, scheduled local departure hour and half-year, with its flights
-- before that day.
-- Weights: a flight of the newest month before the day counts 1; share_fast of it fades by half every half_life_fast
-- months, the rest every half_life_slow. Why these: docs/model.md.
-- log_odds is what is expected: at first the level of the months, so that a bad month is no group's fault.
-- Sums are decimals: exact in whatever order they are taken.
create or replace temp table effect_cells as
with
settings as (
    select
        0.7 as share_fast,
        4 as half_life_fast,
        48 as half_life_slow
),

months as (
    select
        month,
        (sum(delayed_count) + 0.5) / (sum(completed_count) + 1) as delayed_rate
    from raw.route_hours
    group by month
),

weights as (
    select
        effect_days.as_of,
        months.month,
        months.delayed_rate,
        date_diff('month', months.month, max(months.month) over (partition by effect_days.as_of)) as age,
        (
            settings.share_fast * power(0.5, age / settings.half_life_fast)
            + (1 - settings.share_fast) * power(0.5, age / settings.half_life_slow)
        )::decimal(7, 6) as weight
    from months
    inner join effect_days on months.month < effect_days.as_of
    cross join settings
),

counted as (
    select
        weights.as_of,
        route_hours.carrier,
        route_hours.origin,
        route_hours.dest,
        route_hours.crs_dep_hour as local_hour,
        half_year(route_hours.month) as half_year,
        sum(route_hours.completed_count * weights.weight) as flight_count,
        sum(route_hours.delayed_count * weights.weight) as delayed_count,
        sum((route_hours.completed_count * weights.weight::double * weights.delayed_rate)::decimal(28, 9)) as expected_count
    from raw.route_hours
    inner join weights using (month)
    where route_hours.completed_count > 0
    group by all
)

select
    as_of,
    carrier,
    origin,
    dest,
    local_hour,
    half_year,
    flight_count::decimal(28, 6) as flight_count,
    delayed_count::decimal(28, 6) as delayed_count,
    round(logit(expected_count::double / flight_count::double), 9) as log_odds
from counted
where flight_count > 0;

create or replace temp table effects as
select
    null::date as as_of,
    null::varchar as kind,
    null::varchar as key,
    null::double as effect
limit 0
