-- One row per rejected row of a file, with the first error in it. Months are those of the current lake.
--   month: first day of the month; null if the row has no valid month
--   table_name: flights, or levels for the delay-cause table
--   source_name: name of the file; null if the whole file was refused
--   is_refused: whether the whole file was refused, so that none of its rows count
--   line: line number in a CSV, where the header is line 1; row number in a Parquet file, from 1
--   column_name: column with the error
--   value: value in that column
--   reason: kind of error
create or replace view main.rejects as
with
file_rows as (
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

manifest_files as (
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
                regexp_extract(file_rows.filename, 'year=\d{4}/month=\d{2}'), 'year=(\d{4})/month=(\d{2})', '\1-\2-01'
            ) as date
        ) as month,
        regexp_extract(file_rows.filename, '/(flights|levels)/(year=|[^/]*$)', 1) as table_name,
        coalesce(file_rows.part, manifest_files.source_name) as source_name,
        manifest_files.filename is null as is_refused,
        file_rows.line::bigint as line,
        file_rows."column" as column_name,
        file_rows.value::varchar as value,
        file_rows.reason
    from file_rows
    left join manifest_files using (filename)
)

select * from rejects
