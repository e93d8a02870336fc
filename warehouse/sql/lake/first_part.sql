-- Used for a source that is split across several files. Creates tables with one row per flight and one row per rejected
-- row of the first file.
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
