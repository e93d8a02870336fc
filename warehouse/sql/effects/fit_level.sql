-- Fits one level of `effect_cells` anew: by how much the log-odds of delay of its groups differ from what all other levels
-- expect, pulled toward no difference as if $strength more delays had been expected and had come.
-- A group without history has none, as a flight that is asked for has: effect 0.
create or replace temp table level_effects as
with
groups as (
    select
        as_of,
        effect_key($level, carrier, origin, dest, local_hour, half_year) as key,
        sum(delayed_count) as delayed_count,
        sum((flight_count::double * expit(log_odds - coalesce(effects[$level], 0)))::decimal(28, 9)) as expected_count
    from effect_cells
    where is_history and key is not null
    group by all
)

select
    as_of,
    key,
    round(ln((delayed_count::double + $strength) / (expected_count::double + $strength)), 9) as effect
from groups;

delete from effects where kind = $kind;

insert into effects
select
    $kind as kind,
    key,
    effect
from level_effects
where as_of = date '9999-01-01';

create or replace temp table effect_cells as
with
keyed as (
    select
        *,
        effect_key($level, carrier, origin, dest, local_hour, half_year) as key
    from effect_cells
),

fitted as (
    select
        keyed.*,
        case when keyed.key is not null then coalesce(level_effects.effect, 0) end as effect
    from keyed
    left join level_effects using (as_of, key)
)

select
    * exclude (key, effect) replace (
        log_odds - coalesce(effects[$level], 0) + coalesce(effect, 0) as log_odds,
        effects[:$level - 1] || [effect] || effects[$level + 1:] as effects
    )
from fitted
