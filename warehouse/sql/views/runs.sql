-- One row per finished run of a step: when it ran, its inputs and rows, and its error if it failed. Newest last;
-- ops.runs has more details.
--   outcome: done or failed
--   seconds: duration in seconds
--   inputs: names of the inputs
--   rows_in, rows_out: rows read and written
--   error: error message of a failed run
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
