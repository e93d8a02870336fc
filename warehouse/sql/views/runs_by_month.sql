-- One row per month, step and outcome: totals of all runs in the ledger, including old runs kept only as monthly sums.
--   month: first day of the month
--   outcome: done or failed
--   run_count: runs started in that month
--   seconds: total duration in seconds
--   rows_in, rows_out: total rows read and written
--   first_at, last_at: start of the first and of the last run
create or replace view main.runs_by_month as
with
all_runs as (
    select
        month,
        step,
        outcome,
        run_count,
        seconds,
        rows_in,
        rows_out,
        rows_rejected,
        first_at,
        last_at
    from ops.run_months
    union all by name
    select
        date_trunc('month', started_at at time zone 'UTC')::date as month,
        step,
        outcome,
        1 as run_count,
        epoch(finished_at) - epoch(started_at) as seconds,
        coalesce(rows_in, 0) as rows_in,
        coalesce(rows_out, 0) as rows_out,
        coalesce(rows_rejected, 0) as rows_rejected,
        started_at as first_at,
        started_at as last_at
    from ops.runs
),

totals as (
    select
        month,
        step,
        outcome,
        sum(run_count)::bigint as run_count,
        round(sum(seconds), 1) as seconds,
        sum(rows_in)::bigint as rows_in,
        sum(rows_out)::bigint as rows_out,
        sum(rows_rejected)::bigint as rows_rejected,
        min(first_at) as first_at,
        max(last_at) as last_at
    from all_runs
    group by month, step, outcome
    order by month, step, outcome
)

select * from totals
