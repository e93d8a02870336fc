-- One row per airline-route, hour and slot, with the actual flights to compare with frozen forecasts. A slot is as
-- precise as the dates of the source: a day (`2026-12-03`), a weekday of a month (`2026-12 4`) or a month (`2026-12`).
create or replace table outcomes (
    provider varchar,
    carrier varchar,
    origin varchar,
    dest varchar,
    local_hour integer,
    slot varchar,
    month varchar,
    completed_count bigint,
    delayed_count bigint,
    diverted_count bigint,
    cancelled_count bigint
);

-- One row per forecast that was compared with actual flights.
create or replace table cases (
    kind varchar,
    month varchar,
    horizon_days integer,
    provider varchar,
    carrier varchar,
    origin varchar,
    dest varchar,
    local_hour integer,
    slot varchar,
    block varchar,
    late_probability double,
    disrupted_probability double,
    completed_count integer,
    delayed_count integer,
    diverted_count integer,
    cancelled_count integer
)
