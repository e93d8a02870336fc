-- One row per run of a step that came to its end: what was done, when, on what, and why it failed.
-- Newest last; ops.runs has more of each.
--   outcome: done or failed
--   seconds: it took
--   inputs: what it read
--   rows_in, rows_out: rows it read, and wrote
--   error: why it failed
create or replace view main.runs as
select
    date_trunc('second', started_at) as started_at,
    step,
    outcome,
    round(epoch(finished_at) - epoch(started_at), 1) as seconds,
    array_to_string(from_json(json_extract(inputs, '$[*].name'), '["varchar"]'), ', ') as inputs,
    rows_in,
    rows_out,
    rows_rejected,
    error
from ops.runs
order by ops.runs.started_at
