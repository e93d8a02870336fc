-- Adds one level to `effect_cells`: by how much the log-odds of delay of its groups differ from what the levels before
-- it expect, pulled toward no difference as if $strength more delays had been expected and had come.
-- A held-out month is left out of its own effects; `effects` gets those of the whole history.
create or replace temp table level_effects as
with
held_out_groups as (
    select
        held_out,
        effect_key($level, carrier, origin, dest, local_hour) as key,
        sum(delayed_count) as delayed_count,
        sum((flight_count::double * expit(log_odds))::decimal(28, 9)) as expected_count
    from effect_cells
    where key is not null
    group by all
),

groups as (
    select
        held_out,
        key,
        delayed_count,
        expected_count,
        sum(delayed_count) over (partition by key) as all_delayed_count,
        sum(expected_count) over (partition by key) as all_expected_count
    from held_out_groups
)

select
    groups.held_out,
    groups.key,
    round(
        ln(
            (groups.all_delayed_count::double + $strength)
            / (groups.all_expected_count::double + $strength)
        ),
        9
    ) as effect,
    case
        when groups.held_out = date '0001-01-01' then effect
        else round(
            ln(
                ((groups.all_delayed_count - groups.delayed_count)::double + $strength)
                / ((groups.all_expected_count - groups.expected_count)::double + $strength)
            ),
            9
        )
    end as held_out_effect
from groups;

insert into effects
select
    $kind as kind,
    key,
    any_value(effect) as effect
from level_effects
group by key;

create or replace temp table effect_cells as
select
    effect_cells.* replace (
        effect_cells.log_odds + coalesce(level_effects.held_out_effect, 0) as log_odds,
        list_append(effect_cells.effects, level_effects.held_out_effect) as effects
    )
from effect_cells
left join level_effects
    on level_effects.held_out = effect_cells.held_out
    and level_effects.key = effect_key(
        $level, effect_cells.carrier, effect_cells.origin, effect_cells.dest, effect_cells.local_hour
    )
