-- One row per line of a CSV that is not a row of `checked_*`: the line is blank, or it does not have the columns of the
-- file. `good_before` is the number of good rows above the line. With it, the number of a good row is converted to its
-- line number.
create or replace temp table skipped_lines as
with
malformed as (
    -- DuckDB reports a line several times if it has several extra columns.
    select
        line,
        min(error_type::varchar) as error_type,
        any_value(trim(csv_line, e' \r\n')) as csv_line
    from reject_errors
    group by line
),

blank as (
    select unnest(string_split($blankLines, ','))::bigint as line
    where $blankLines <> ''
),

all_lines as (
    select
        line,
        case error_type
            when 'TOO MANY COLUMNS' then 'wrong_column_count'
            when 'MISSING COLUMNS' then 'wrong_column_count'
            when 'UNQUOTED VALUE' then 'broken_quotes'
            when 'INVALID ENCODING' then 'not_utf8'
            else 'unparseable_line'
        end as reason,
        csv_line
    from malformed
    union all
    select
        line,
        null as reason,
        null as csv_line
    from blank
),

ranked as (
    select
        line,
        reason,
        csv_line,
        line - $headerLines::bigint - row_number() over (order by line) as good_before
    from all_lines
)

select * from ranked;
