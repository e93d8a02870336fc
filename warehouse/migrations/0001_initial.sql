-- Raw tables have the months of the lake; the ledger has the runs of the jobs.
-- warehouse/build/build.ts rebuilds everything in intermediate, marts and reference.
create schema raw;
create schema reference;
create schema intermediate;
create schema marts;
create schema ops;

-- One row per lake month loaded; a month has one source.
create table raw.lake_months (
    month date primary key,
    source_name varchar not null,
    source_sha256 varchar not null,
    source_form varchar not null,
    rows_read bigint not null,
    rows_loaded bigint not null,
    rows_rejected bigint not null,
    code_version varchar not null,
    extracted_at timestamptz not null,
    loaded_at timestamptz not null default now()
);

-- One row per month, carrier, origin, dest and scheduled local departure hour.
create table raw.route_hours (
    month date not null,
    carrier varchar not null,
    origin varchar not null,
    dest varchar not null,
    crs_dep_hour tinyint,
    delay_basis varchar not null,
    flight_count integer not null,
    cancelled_count integer not null,
    diverted_count integer not null,
    completed_count integer not null,
    delayed15_count integer not null,
    delayed_count integer not null,
    delayed60_count integer not null,
    delayed120_count integer not null,
    delayed_min_sum bigint not null
);

-- One row per flight_date and airport of origin; only from sources with dates.
create table raw.airport_days (
    flight_date date not null,
    airport varchar not null,
    flight_count integer not null,
    cancelled_count integer not null,
    completed_count integer not null,
    delayed_count integer not null
);

create table reference.airports (
    iata varchar primary key,
    name varchar not null,
    city varchar not null,
    country varchar not null,
    country_code varchar not null,
    time_zone varchar not null,
    latitude double not null,
    longitude double not null
);

create table reference.airlines (
    iata varchar primary key,
    name varchar not null,
    country varchar not null
);

-- One row per country and public holiday.
create table reference.holidays (
    country_code varchar not null,
    holiday_date date not null
);

-- The seed's airport days. They give weekday and holiday odds to a history without dates.
create table reference.calendar_days as
from raw.airport_days limit 0;

-- One row per finished step of the pipeline.
create sequence ops.run_ids;

create table ops.runs (
    run_id bigint primary key default nextval('ops.run_ids'),
    step varchar not null,
    started_at timestamptz not null,
    finished_at timestamptz not null,
    outcome varchar not null,
    detail json
);

-- One row per check of the last build.
create table ops.check_results (
    check_name varchar primary key,
    severity varchar not null,
    failures bigint not null,
    checked_at timestamptz not null
);

create macro odds(rate) as rate / (1 - rate);

create macro logit(rate) as ln(rate / (1 - rate));

create macro expit(log_odds) as 1 / (1 + exp(-log_odds));

-- Rate of `events` in `trials`, shrunk toward `prior`: the result is the rate as if `strength` more trials had shown
-- the prior rate.
create macro shrink(events, trials, prior, strength) as (events + strength * prior) / (trials + strength);

-- Aggregate: number of trials the prior is worth, by the method of moments for beta-binomial groups around `prior`.
-- Clamped to [1, 100000]. Below this range, groups have nothing in common; above it, groups do not differ. Groups
-- without trials are ignored.
create macro prior_strength(events, trials, prior) as least(100000, greatest(1,
    coalesce(sum(greatest(trials - 1, 0) * prior * (1 - prior)), 0)
    / greatest(
        1e-9,
        coalesce(sum(trials * power(events / nullif(trials, 0) - prior, 2) - prior * (1 - prior)), 0)
    ) - 1
));
