-- Runs of the ledger that are no longer kept one by one, as the summaries in lake/runs have them.
create table ops.run_months (
    month date not null,
    step varchar not null,
    outcome varchar not null,
    run_count bigint not null,
    seconds double not null,
    rows_in bigint not null,
    rows_out bigint not null,
    rows_rejected bigint not null,
    first_at timestamptz not null,
    last_at timestamptz not null,
    primary key (month, step, outcome)
);
