-- One row per build and check: how many rows it found, and what became of it since the build before.
--   run_id: of the build
--   check_name: its file in warehouse/sql/checks
--   failures: rows it found that should not be there; 0 is a pass
--   failures_before: at the build before
--   trend: worse, better or same against the build before; new where there was none
create or replace view main.checks_history as
with
results as (
    select
        run_id,
        started_at,
        unnest(from_json(detail->'checks', '[{"check": "varchar", "severity": "varchar", "failures": "bigint"}]')) as result
    from ops.runs
    where step in ('build', 'rebuild') and outcome = 'done'
),

compared as (
    select
        started_at,
        result."check" as check_name,
        result.severity as severity,
        result.failures as failures,
        lag(result.failures) over (partition by result."check" order by started_at, run_id) as failures_before,
        run_id
    from results
),

trends as (
    select
        started_at,
        check_name,
        severity,
        failures,
        failures_before,
        case
            when failures_before is null then 'new'
            when failures > failures_before then 'worse'
            when failures < failures_before then 'better'
            else 'same'
        end as trend,
        run_id
    from compared
    order by started_at, check_name
)

select * from trends
