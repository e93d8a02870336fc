-- The flights of several files given together, as of one: a flight that several have counts where it comes first.
-- A flight is told by its day, scheduled time, airline, number and airports; what one file has twice stays as it would alone.
create or replace temp table repeated_flights as
with
good as (
    select
        part,
        part_row,
        min(part) over (
            partition by flight_date, carrier, coalesce(flight_number, ''), origin, dest, crs_dep_time
        ) as first_part
    from part_flights
    where reject is null
)

select
    part,
    part_row
from good
where part > first_part;

create or replace temp table checked_flights as
select part_flights.* exclude (part, part_row)
from part_flights
anti join repeated_flights using (part, part_row)
order by part, part_row;

create or replace temp table rejected_rows as
select * from part_rejects
order by part, line;
