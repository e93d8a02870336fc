-- Finds the rows of checked_flights that repeat a flight of an earlier row of the same file. The table
-- duplicate_flights lists the rowids of these rows.
--
-- Most files have the day, the time, and the number or plane of each flight. Two rows with the same airline, airports
-- and these values are one flight. Hashes of the values are compared: in a file of ten million flights, two different
-- flights have the same hash with a probability of about one in 400,000.
--
-- In other files, different flights may have equal rows. Their rows count as repeated in two cases. First, a group of
-- rows is in the file k times: every row of the group occurs a multiple of k times, and the group has at least 20
-- different rows. A group is a month, a day, or an airline in a month or day. Second, a block of rows occurs again
-- further down: at least 32 rows occur twice. These rows are close together, and each occurs again the same number of
-- rows further down. In the real files of docs/data-sources.md neither case occurs.
create or replace temp table repeated_hashes as
with
-- Sorting the hashes takes half the time of grouping by them.
sorted_hashes as (
    select hash(flight_date, carrier, coalesce(flight_number, tail_number), origin, dest, crs_dep_time) as flight_hash
    from checked_flights
    where
        reject is null
        and flight_date is not null
        and coalesce(flight_number, tail_number) is not null
    order by flight_hash
),

neighbours as (
    select
        flight_hash,
        lag(flight_hash) over () as previous_hash
    from sorted_hashes
)

select distinct flight_hash
from neighbours
where flight_hash = previous_hash;

create or replace temp table unidentified_rows as
select
    rowid as flight_row,
    month,
    flight_date,
    carrier,
    hash(
        month, flight_date, weekday, carrier, flight_number, tail_number, origin, dest, crs_dep_time, crs_arr_time,
        dep_time, arr_time, dep_delay_min, arr_delay_min, is_cancelled, cancellation_code, is_diverted, distance_mi
    ) as row_hash
from checked_flights
where
    reject is null
    and month is not null
    and (flight_date is null or coalesce(flight_number, tail_number) is null);

create or replace temp table row_counts as
select
    row_hash,
    any_value(month) as month,
    any_value(flight_date) as flight_date,
    any_value(carrier) as carrier,
    count(*) as row_count,
    min(flight_row) as first_row,
    max(flight_row) as last_row
from unidentified_rows
group by row_hash;

create or replace temp table duplicate_flights as
with
airline_days as (
    select
        month,
        flight_date,
        carrier,
        count(*) as different_rows,
        min(row_count) as least_count
    from row_counts
    group by all
),

-- A group can be in the file several times only if every row in it occurs more than once.
suspect_groups as (
    select
        month,
        flight_date,
        carrier,
        -- In the key of a group, null means all values. In files without days, the day is null in every row.
        grouping(flight_date) = 1 as is_any_day,
        grouping(carrier) = 1 as is_any_carrier
    from airline_days
    group by grouping sets ((month), (month, carrier), (month, flight_date), (month, flight_date, carrier))
    having min(least_count) > 1 and sum(different_rows) >= 20
),

-- If the counts of all rows in a group have the greatest common divisor k, the group is in the file k times.
copies as (
    select
        suspect_groups.*,
        list_reduce(list(distinct row_counts.row_count), lambda one, other: gcd(one, other)) as copy_count
    from row_counts
    inner join suspect_groups
        on suspect_groups.month = row_counts.month
        and (suspect_groups.is_any_day or suspect_groups.flight_date is not distinct from row_counts.flight_date)
        and (suspect_groups.is_any_carrier or suspect_groups.carrier = row_counts.carrier)
    group by all
    having copy_count > 1
),

copied_rows as (
    select
        row_counts.row_hash,
        row_counts.row_count // max(copies.copy_count) as true_count
    from row_counts
    inner join copies
        on copies.month = row_counts.month
        and (copies.is_any_day or copies.flight_date is not distinct from row_counts.flight_date)
        and (copies.is_any_carrier or copies.carrier = row_counts.carrier)
    group by row_counts.row_hash, row_counts.row_count
),

rows_of_copies as (
    select unidentified_rows.flight_row
    from unidentified_rows
    inner join copied_rows using (row_hash)
    qualify
        row_number() over (partition by row_hash order by unidentified_rows.flight_row) > copied_rows.true_count
),

blocks as (
    select
        last_row - first_row as distance,
        min(last_row) as from_row,
        max(last_row) as to_row
    from row_counts
    where row_count = 2
    group by distance
    having count(*) >= 32 and distance >= 32 and count(*) >= 0.2 * (to_row - from_row + 1)
),

-- A row at the start or end of a block may occur more than twice. It belongs to the block if no other row lies between
-- it and the block.
block_matches as (
    select
        blocks.distance,
        blocks.from_row,
        blocks.to_row,
        later.flight_row,
        later.flight_row
        - row_number() over (partition by blocks.distance order by later.flight_row) as run
    from blocks
    inner join unidentified_rows as later
        on later.flight_row between blocks.from_row - 1000 and blocks.to_row + 1000
    inner join unidentified_rows as earlier
        on earlier.row_hash = later.row_hash and earlier.flight_row = later.flight_row - blocks.distance
),

rows_of_blocks as (
    select flight_row
    from block_matches
    qualify bool_or(flight_row between from_row and to_row) over (partition by distance, run)
),

rows_of_flights as (
    select checked_flights.rowid as flight_row
    from checked_flights
    inner join repeated_hashes
        on repeated_hashes.flight_hash = hash(
            checked_flights.flight_date, checked_flights.carrier,
            coalesce(checked_flights.flight_number, checked_flights.tail_number), checked_flights.origin,
            checked_flights.dest, checked_flights.crs_dep_time
        )
    where checked_flights.reject is null
    qualify row_number() over (partition by repeated_hashes.flight_hash order by checked_flights.rowid) > 1
),

duplicates as (
    select flight_row from rows_of_flights
    union
    select flight_row from rows_of_copies
    union
    select flight_row from rows_of_blocks
)

select * from duplicates;

drop table unidentified_rows;

drop table row_counts
