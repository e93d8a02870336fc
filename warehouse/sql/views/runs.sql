-- One row per run of a step that came to its end: what was done, when, on what, and why it failed. Newest last.
--   run_id: begins with the time it started
--   outcome: done or failed
--   seconds: it took
--   inputs: what it read
--   rows_in, rows_out: rows it read, and wrote
--   rejects: rejected rows by reason
--   error: why it failed
create or replace view main.runs as
select
    started_at,
    step,
    outcome,
    round(epoch(finished_at) - epoch(started_at), 1) as seconds,
    array_to_string(from_json(json_extract(inputs, '$[*].name'), '["varchar"]'), ', ') as inputs,
    rows_in,
    rows_out,
    rows_rejected,
    case when rejects::varchar <> '{}' then rejects::varchar end as rejects,
    error,
    run_id
from ops.runs
order by started_at
