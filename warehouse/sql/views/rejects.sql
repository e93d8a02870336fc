-- One row per row of a file that was rejected, with the first thing wrong with it; the months they are of are those of the lake.
--   month: its first day; null where the row tells none
--   table_name: flights, or levels: the delay-cause table
--   source_name: the file; null where it was refused as a whole
--   is_refused: the file was refused as a whole, and none of its rows counts
--   line: line of a CSV, its header being line 1; of a Parquet file the row, from 1
--   column_name: in which something is wrong
--   value: what stands there
--   reason: what is wrong with it
create or replace view main.rejects as
with
told as (
    select * from $rejects
    union all by name
    select
        null::varchar as filename,
        null::bigint as line,
        null::varchar as "column",
        null::varchar as value,
        null::varchar as reason,
        null::varchar as part
    where false
),

counting as (
    select
        replace(filename, 'manifest.json', files.rejects.name) as filename,
        source.name as source_name
    from $manifests
    where files.rejects.name is not null
),

rejects as (
    select
        try_cast(
            regexp_replace(
                regexp_extract(told.filename, 'year=\d{4}/month=\d{2}'), 'year=(\d{4})/month=(\d{2})', '\1-\2-01'
            ) as date
        ) as month,
        regexp_extract(told.filename, '/(flights|levels)/(year=|[^/]*$)', 1) as table_name,
        coalesce(told.part, counting.source_name) as source_name,
        counting.filename is null as is_refused,
        told.line::bigint as line,
        told."column" as column_name,
        told.value::varchar as value,
        told.reason
    from told
    left join counting using (filename)
)

select * from rejects
