-- One row per flight, and one per rejected row, of the first of several files that are read as one source.
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
