-- S from April to September, W from October to March.
create or replace temp macro half_year(month) as case when month(month) between 4 and 9 then 'S' else 'W' end;

-- Share of a half-year's effect that applies in a month: all in July and January, nothing in April and October. For a
-- whole year it is 0. docs/model.md has the reason. `seasonOf` in `models/season.ts` has the same formula.
create or replace temp macro season_depth(month) as case
    when is_year(month) then 0
    else abs(round(cos(2 * pi() * (month(month) - 7) / 12), 6))
end::decimal(7, 6);

-- Key of the group of a flight, for each kind of effect; `warehouse/store/effect-kinds.ts` lists the kinds. Null if the
-- kind needs the hour and the hour is unknown.
create or replace temp macro effect_key(kind, carrier, origin, dest, local_hour, half_year) as case kind
    when 'hour' then local_hour::varchar
    when 'half_year_hour' then half_year || local_hour
    when 'carrier' then carrier
    when 'origin' then origin
    when 'dest' then dest
    when 'origin_carrier' then origin || carrier
    when 'route' then origin || dest
    when 'route_carrier' then origin || dest || carrier
    when 'carrier_hours' then carrier || '@' || local_hour // 3
    when 'origin_hours' then origin || '@' || local_hour // 2
    when 'dest_hours' then dest || '@' || local_hour // 3
    when 'route_carrier_hours' then origin || dest || carrier || '@' || local_hour // 4
    when 'origin_half_year_hours' then origin || '@' || half_year || local_hour // 3
end;

-- Weight of a flight by its age in months: 70 % of the weight halves every 4 months, and 30 % halves every 48 months.
-- docs/model.md has the reasons.
create or replace temp macro recency_weight(age) as (
    0.7 * power(0.5, age / 4) + 0.3 * power(0.5, age / 48)
)::decimal(7, 6);

-- Weight of a month in the levels, by its age in months. Levels must forecast months ahead, so this weight falls more
-- slowly than the weight of flights.
create or replace temp macro level_weight(age) as (
    0.5 * power(0.5, age / 8) + 0.5 * power(0.5, age / 48)
)::decimal(7, 6);

-- First day on which the delay-cause table of a month is known. `publishedFrom` in `warehouse/build/level-load.ts` has
-- the same rule.
create or replace temp macro published_from(month) as month + to_months(3);

-- Share of an airport's level at arrival that also applies at departure. The delay-cause table only has airports of
-- arrival.
create or replace temp macro departure_share() as 0.5;

-- Change of the level: the log-odds of delay in a past month minus the log-odds that are expected now for the same
-- month of the year. Null if no level is known. `shift` is the part for the airline and its airports.
create or replace temp macro level_shift(month_log_odds, base, season, shift) as
    delayed_by_late(month_log_odds - base - season) + shift;

-- As-of days. Effects are estimated from the data known before each of these days: the first days of the quarters in
-- $known_at, and a day in the year 9999, on which all data is known.
create or replace temp table effect_days as
select unnest($known_at::json::varchar[])::date as as_of
union all
select date '9999-01-01';

create or replace temp table effects as
select
    null::date as as_of,
    null::varchar as kind,
    null::varchar as key,
    null::double as effect
limit 0
