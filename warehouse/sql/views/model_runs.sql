-- One row per training that came to its end: what it learned from, how it fared on months it had not seen, and whether it was
-- released.
--   outcome: done or failed
--   is_released: whether its model took the place of the one before
--   model: version of the released model
--   why: why it was released, or not; or why it failed
--   first_month, last_month: of the history it learned from, YYYY-MM
--   rows_in: rows of that history
--   tried_on: flights of the rehearsal
--   brier, auc, skill: of the rehearsal; Brier score, area under the curve, and what it beats the rate of before by
--   brier_before: Brier score of the model released so far on the very same flights
--   run_id: begins with the time it started
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
