-- Combines the flights of several files into one source. If several files have the same flight, only the first file's
-- row counts. Two flights are the same if day, scheduled time, airline, airports and number are equal. If the number is
-- missing, the plane must be equal.
create or replace temp table repeated_flights as
with
valid_flights as (
    select
        part,
        part_row,
        min(part) over (
            partition by
                flight_date, carrier, coalesce(flight_number, tail_number, ''), origin, dest, crs_dep_time
        ) as first_part
    from part_flights
    where reject is null
)

select
    part,
    part_row
from valid_flights
where part > first_part;

create or replace temp table checked_flights as
select part_flights.* exclude (part, part_row)
from part_flights
anti join repeated_flights using (part, part_row)
order by part, part_row;

create or replace temp table rejected_rows as
select * from part_rejects
order by part, line;
