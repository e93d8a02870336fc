-- For a source split across several files: the first file, with one row per flight and one row per rejected row.
create or replace temp table part_flights as
select
    *,
    $part::integer as part,
    rowid as part_row
from checked_flights;

create or replace temp table part_rejects as
select
    *,
    $name::varchar as part
from rejected_rows;
