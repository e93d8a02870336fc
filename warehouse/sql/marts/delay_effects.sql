-- One row per kind and key: log-odds by which a group's flights are delayed more often than all other kinds expect.
-- Kinds and their order: `warehouse/build/effects.ts`; keys join codes and blocks of hours, for example `JFK@9` for 18 to 19 h.
-- Estimated just before, level after level, by `effects/cells` and `effects/fit_level`.
create or replace table marts.delay_effects as
select
    kind,
    key,
    effect
from effects
where as_of = date '9999-01-01'
order by kind, key
