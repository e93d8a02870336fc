-- Creates the table of skipped lines without rows. A Parquet file has no lines that could be skipped.
create or replace temp table skipped_lines (
    line bigint,
    reason varchar,
    csv_line varchar,
    good_before bigint,
);
