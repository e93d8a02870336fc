-- An empty table: a Parquet file has no lines that could fail to split into columns.
create or replace temp table skipped_lines (
    line bigint,
    reason varchar,
    csv_line varchar,
    good_before bigint,
);
