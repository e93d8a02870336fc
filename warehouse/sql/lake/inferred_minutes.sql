-- One row with a list of delays, in minutes, ascending. A delay is in the list if at least one row of the file has no
-- count for it. The file is from a provider other than BTS.
with
hours as (
    select *
    from read_parquet($file, hive_partitioning = false)
    union all by name
    select
        null::integer as delayed180_count,
        null::integer as delayed360_count
    where false
),

delays as (
    select
        unnest([30, 60, 120, 180, 360]) as minutes,
        unnest([
            bool_or(delayed_count is null),
            bool_or(delayed60_count is null),
            bool_or(delayed120_count is null),
            bool_or(delayed180_count is null),
            bool_or(delayed360_count is null)
        ]) as is_missing
    from hours
)

select coalesce(list(minutes order by minutes), [])::json::varchar as minutes
from delays
where is_missing
