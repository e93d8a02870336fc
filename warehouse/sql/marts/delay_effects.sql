-- One row per kind and key: log-odds by which a group's flights are delayed more often than all other kinds expect.
-- Kinds and their order: `warehouse/store/effect-kinds.ts`; keys join codes and blocks of hours, for example `JFK@9` for 18 to 19 h.
-- Estimated just before from what the files of `sql/effects` select.
--   kind: what the group has in common
--   key: the group: codes and blocks of hours
--   effect: log-odds
create or replace table marts.delay_effects as
select
    kind,
    key,
    effect
from effects
where as_of = date '9999-01-01' and kind not in ('month', 'carrier_month', 'dest_month', 'dest_carrier_month')
order by kind, key
