-- One row per rejected row of the source, in file order, with its first error. `line` is the line number in a CSV,
-- where the header is line 1 unless the file has lines above its header. In a Parquet or JSON file, `line` is the
-- number of the row, from 1.
create or replace temp table rejected_rows as
with
bad_rows as (
    select
        row_number,
        month,
        reject
    from checked_rows
    where reject is not null
),

-- Consecutive skipped lines have the same `good_before`. `max` gives the number of skipped lines up to the last line of
-- such a block.
skips as (
    select
        good_before,
        max(row_number) as skipped_count
    from (
        select
            good_before,
            row_number() over (order by line) as row_number
        from skipped_lines
    ) as numbered
    group by good_before
),

numbered as (
    select
        bad_rows.month,
        bad_rows.row_number + coalesce(skips.skipped_count, 0) + $headerLines::bigint as line,
        bad_rows.reject.column_name as column_name,
        bad_rows.reject.value as value,
        bad_rows.reject.reason as reason
    from bad_rows
    asof left join skips on bad_rows.row_number > skips.good_before
),

malformed as (
    select
        null::date as month,
        line,
        null as column_name,
        csv_line[:1000] as value,
        reason
    from skipped_lines
    where reason is not null
),

all_rejects as (
    select * from numbered
    union all
    select * from malformed
)

select * from all_rejects
order by line
