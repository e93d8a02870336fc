-- One row per step, kind and key, with the effect of the group. The effect is the group's log-odds of taking the step
-- minus the log-odds that all other effects predict. Steps lead to a longer delay, to a cancellation or to a diversion;
-- `warehouse/store/outcome-kinds.ts` lists steps and kinds. The effects are estimated right before this mart is built,
-- with the SQL in `sql/outcomes`. The kind `network` has the log-odds of the step itself.
--   step: name of the step, such as late60 or cancelled; outcome-kinds.ts defines each step as a share of certain
--     flights
--   kind: common properties of the group
--   key: codes and blocks of hours of the group; empty for the network
--   effect: log-odds
--   spread: standard deviation of the effect; for the network, the standard deviation of single months
create or replace table marts.outcome_effects as
select
    step,
    kind,
    key,
    effect,
    spread
from outcome_fits
order by step, kind, key
