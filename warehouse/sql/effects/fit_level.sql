-- Fits one level anew: by how much the log-odds of delay of its groups differ from what all other levels expect, pulled
-- toward no difference as if $strength more delays had been expected and had come.
create or replace temp table level_effects as
with
cells as (
    select
        *,
        effect_key($kind, carrier, origin, dest, local_hour, half_year, month) as key
    from effect_cells
),

former as (
    select * from effects
    where kind = $kind
),

groups as (
    select
        cells.as_of,
        cells.key,
        sum(cells.delayed_count) as delayed_count,
        sum((cells.flight_count::double * expit(cells.log_odds - coalesce(former.effect, 0)))::decimal(28, 9)) as expected_count,
        any_value(former.effect) as former_effect
    from cells
    left join former using (as_of, key)
    where cells.key is not null
    group by all
)

select
    as_of,
    key,
    round(ln((delayed_count::double + $strength) / (expected_count::double + $strength)), 9) as effect,
    effect - coalesce(former_effect, 0) as change
from groups;

delete from effects where kind = $kind;

insert into effects
select
    as_of,
    $kind as kind,
    key,
    effect
from level_effects;

create or replace temp table effect_cells as
select
    effect_cells.* replace (
        effect_cells.log_odds + coalesce(level_effects.change, 0) as log_odds,
        effect_cells.by_hour + case when is_by_hour($kind) then coalesce(level_effects.change, 0) else 0 end as by_hour
    )
from effect_cells
left join level_effects
    on level_effects.as_of = effect_cells.as_of
    and level_effects.key = effect_key(
        $kind,
        effect_cells.carrier,
        effect_cells.origin,
        effect_cells.dest,
        effect_cells.local_hour,
        effect_cells.half_year,
        effect_cells.month
    )
