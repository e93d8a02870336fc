-- One row per month, flight number and leg that the number served in its last two weeks of the month. From the flights
-- of the lake; months that were loaded before this table get rows when they are loaded again.
create table raw.flight_numbers (
    month date not null,
    brand varchar not null,
    flight_number integer not null,
    origin varchar not null,
    dest varchar not null,
    carrier varchar not null,
    crs_dep_time smallint,
    crs_arr_time smallint,
    flight_count integer not null
);

-- Flight numbers of the history shipped with the code, with the same columns.
create table reference.flight_numbers as
from raw.flight_numbers
with no data;
