-- One row per flight of the first of several files given together, and one per row of it that was rejected.
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
