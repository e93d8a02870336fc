-- Adds a row per flight of the next of several files given together, and one per row of it that was rejected.
insert into part_flights
select
    *,
    $part::integer as part,
    rowid as part_row
from checked_flights;

insert into part_rejects
select
    *,
    $name::varchar as part
from rejected_rows;
