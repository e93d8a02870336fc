-- One row per kind and key, with the effect of the group. The effect is the group's log-odds of delay minus the
-- log-odds that the effects of all other kinds predict. `warehouse/store/effect-kinds.ts` lists the kinds in order. A
-- key consists of codes and the number of a block of hours: in `JFK@9`, block 9 is 18:00 to 19:59. The effects are
-- estimated right before this mart is built, with the SQL in `sql/effects`.
--   kind: common properties of the group
--   key: codes and blocks of hours of the group
--   effect: log-odds
create or replace table marts.delay_effects as
select
    kind,
    key,
    effect
from effects
where as_of = date '9999-01-01' and kind not in ('month', 'carrier_month', 'dest_month', 'dest_carrier_month')
order by kind, key
