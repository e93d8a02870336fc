-- One row per build and check: the number of offending rows, compared with the build before.
--   run_id: run of the build
--   check_name: name of the check's file in warehouse/sql/checks
--   failures: offending rows; 0 is a pass
--   failures_before: offending rows at the previous build
--   trend: worse, better or same, compared with the build before; new if that build did not run the check
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
