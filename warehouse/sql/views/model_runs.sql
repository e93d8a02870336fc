-- One row per finished training run: its data, its result on unseen months, and whether the model was released.
--   outcome: done or failed
--   is_released: whether the model replaced the released model
--   model: version of the released model
--   why: reason for releasing or not releasing the model, or the error
--   first_month, last_month: range of the history that the model learned from, YYYY-MM
--   rows_in: rows of that history
--   tried_on: flights of the rehearsal
--   brier, auc, skill: results of the rehearsal: Brier score, area under the curve, and improvement over a constant
--     forecast of the earlier delay rate
--   brier_before: Brier score of the previously released model on the same flights
--   run_id: starts with the start time of the run
create or replace view main.model_runs as
select
    started_at,
    outcome,
    (detail->>'isReleased')::boolean as is_released,
    detail->>'version' as model,
    coalesce(detail->>'why', error) as why,
    detail->>'$.months[0]' as first_month,
    detail->>'$.months[#-1]' as last_month,
    rows_in,
    (detail->>'$.trial.candidate.n')::bigint as tried_on,
    (detail->>'$.trial.candidate.brier')::double as brier,
    (detail->>'$.trial.candidate.auc')::double as auc,
    (detail->>'$.trial.candidate.skill')::double as skill,
    (detail->>'$.trial.previous.brier')::double as brier_before,
    run_id
from ops.runs
where step = 'train'
order by started_at
