-- Empty tables of the months to compare: the staged months of a source, the current versions of these months in the
-- lake, and BTS's delay-cause table. `timed` counts flights with a departure time. `arrivals` counts flights from
-- sources that have arrival delays. `branded` counts flights for which the airline on the ticket is known. For months
-- of the delay-cause table, `origin` is the airport of arrival and `dest` is null.
create or replace temp table staged_routes (
    month date,
    carrier varchar,
    origin varchar,
    dest varchar,
    flights bigint,
    timed bigint,
    arrivals bigint,
    branded bigint
);

-- Number of days with flights; no row for months without days.
create or replace temp table staged_months (
    month date,
    day_count bigint
);

create or replace temp table current_routes as
from staged_routes;

-- `carrier` is null if the lake has only the totals of all airlines.
create or replace temp table staged_days (
    month date,
    carrier varchar,
    airport varchar,
    flight_date date,
    flights bigint
);

create or replace temp table current_days as
from staged_days;

create or replace temp table level_cells (
    month date,
    carrier varchar,
    airport varchar,
    flights bigint
)
