-- The ledger, from the files of lake/runs: inputs with their hashes, rows, rejects, code and error of every run.
create table ops.run_ledger (
    run_id varchar primary key,
    step varchar not null,
    outcome varchar not null,
    started_at timestamptz not null,
    finished_at timestamptz not null,
    code_version varchar,
    -- [{name, sha256}]
    inputs json,
    rows_in bigint,
    rows_out bigint,
    rows_rejected bigint,
    -- {reason: rows}
    rejects json,
    error varchar,
    -- Report of the step; for a build, with the result of every check.
    detail json
);

insert into ops.run_ledger by name
select
    'before-' || run_id as run_id,
    step,
    outcome,
    started_at,
    finished_at,
    detail->>'error' as error,
    detail
from ops.runs;

drop table ops.runs;

drop sequence ops.run_ids;

alter table ops.run_ledger rename to runs;

-- As in 0001, but summed as decimals. Sums of doubles depend on the order of the rows, which threads change. A rebuilt
-- warehouse must give the same marts to the last bit.
create or replace macro prior_strength(events, trials, prior) as least(100000, greatest(1,
    coalesce(sum((greatest(trials - 1, 0) * prior * (1 - prior))::decimal(38, 12))::double, 0)
    / greatest(
        1e-9,
        coalesce(
            sum(
                (trials * power(events / nullif(trials, 0) - prior, 2) - prior * (1 - prior))::decimal(38, 12)
            )::double,
            0
        )
    ) - 1
));
