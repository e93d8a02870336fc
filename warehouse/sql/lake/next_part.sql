-- Used for a source that is split across several files. Adds the flights and the rejected rows of the next file.
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
