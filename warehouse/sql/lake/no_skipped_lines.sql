-- One row per line that could not be split: a Parquet file has none.
create or replace temp table skipped_lines (
    line bigint,
    reason varchar,
    csv_line varchar,
    good_before bigint,
);
