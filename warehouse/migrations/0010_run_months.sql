-- Monthly sums of old runs that the ledger no longer has one by one, from the summaries in lake/runs.
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
