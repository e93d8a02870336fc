-- Whether each month of raw.lake_months is whole, partial or a sample. Computed again when the month or its
-- delay-cause table changes; both are identified in each row.
create table raw.month_completeness (
    month date primary key,
    kind varchar not null,
    table_share double,
    day_count bigint,
    month_days bigint not null,
    airport_count bigint not null,
    airline_count bigint not null,
    extracted_at timestamptz not null,
    table_sha256 varchar
);
