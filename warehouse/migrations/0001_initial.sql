-- The layout of release 0.1.0. Raw tables have the months of the lake; the ledger has the runs of the jobs.
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
    loaded_at timestamptz not null default now(),
    -- Some files of providers count whole years. Such a year is one row, with December as its month; it is neither
    -- December nor another month of the year.
    period_months tinyint default 1,
    -- Delays, in minutes, that the source of the month does not count. The numbers of flights with these delays are
    -- inferred.
    inferred_minutes integer[] default [],
    -- Provider of the month. A warehouse has the months of one provider.
    provider varchar not null default 'bts'
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
    -- Null in files of sums that do not count these delays.
    delayed45_count integer,
    delayed60_count integer not null,
    delayed90_count integer,
    delayed120_count integer not null,
    delayed180_count integer,
    delayed360_count integer,
    delayed_min_sum bigint not null,
    -- The airline whose code is on the ticket; null if the source has only operators.
    brand varchar
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

-- One row per month, airport, ISO weekday and local hour: scheduled movements, and the delays of the departures.
-- weekday is null if the source has no dates; crs_arr_count is null if it has no arrival times.
create table raw.airport_hours (
    month date not null,
    airport varchar not null,
    weekday tinyint,
    local_hour tinyint not null,
    crs_dep_count integer not null,
    crs_arr_count integer,
    completed_count integer not null,
    delayed_count integer not null
);

-- One row per source and loaded lake month of weather; any change causes a rebuild of the marts.
create table raw.weather_months (
    source varchar not null,
    month date not null,
    file_sha256 varchar not null,
    primary key (source, month)
);

-- One row per source, airport and local day; unknown values are null.
create table raw.airport_weather_days (
    source varchar not null,
    airport varchar not null,
    weather_date date not null,
    temp_mean_c double,
    wind_max_kmh double,
    gust_max_kmh double,
    precip_max_mm double,
    snowfall_cm double,
    visibility_min_m double,
    weather_code integer
);

-- One row per month, carrier and airport of arrival, from the table "Airline On-Time Statistics and Delay Causes" that
-- BTS publishes two months late. It counts flights by scheduled airport of arrival. No row if an airline had no flights
-- there in that month.
create table raw.delay_causes (
    month date not null,
    carrier varchar not null,
    airport varchar not null,
    -- Flights scheduled to arrive. Without the cancelled and diverted flights, this is the number that arrived.
    arr_flights integer not null,
    -- Flights that arrived 15 minutes late or more.
    arr_del15 integer not null,
    arr_cancelled integer not null,
    arr_diverted integer not null,
    -- Flights of arr_del15 by cause, in fractions of a flight; null if BTS has no causes.
    carrier_ct double,
    weather_ct double,
    nas_ct double,
    security_ct double,
    late_aircraft_ct double,
    -- Delay minutes of the flights of arr_del15, in total and by cause.
    arr_delay double,
    carrier_delay double,
    weather_delay double,
    nas_delay double,
    security_delay double,
    late_aircraft_delay double
);

-- One row per loaded month of the delay-cause table; a month has one source. rows_read = rows_loaded + rows_empty +
-- rows_rejected.
create table raw.delay_cause_months (
    month date primary key,
    source_name varchar not null,
    source_sha256 varchar not null,
    rows_read bigint not null,
    rows_loaded bigint not null,
    -- Rows without figures: the airline had no flights there in that month.
    rows_empty bigint not null,
    rows_rejected bigint not null,
    file_sha256 varchar not null,
    code_version varchar not null,
    extracted_at timestamptz not null,
    loaded_at timestamptz not null default now()
);

-- Whether each month of raw.lake_months is whole, partial or a sample. A row is computed again when the month or its
-- delay-cause table changes. Each row identifies the versions of both.
create table raw.month_completeness (
    month date primary key,
    kind varchar not null,
    table_share double,
    day_count bigint,
    month_days bigint not null,
    airport_count bigint not null,
    airline_count bigint not null,
    extracted_at timestamptz not null,
    table_sha256 varchar
);

-- One row per month, flight number and leg. A leg is included if the number served it in the last week in which the
-- number was flown in that month. The rows come from the flights of the lake.
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
    holiday_date date not null,
    holiday varchar not null
);

-- Days near holidays, from the daily series of the seed. These days are the evidence for the effects of holidays.
create table reference.holiday_evidence (
    country_code varchar not null,
    holiday varchar not null,
    days tinyint not null,
    flight_date date not null,
    series varchar not null,
    log_odds double not null,
    variance double not null
);

-- The seed's airport days. They give weekday odds to a history without dates.
create table reference.calendar_days as
from raw.airport_days limit 0;

-- Flight numbers of the history shipped with the code.
create table reference.flight_numbers as
from raw.flight_numbers
with no data;

-- Flights of operators that fly for other airlines, by brand. If the source of a month names only operators, these
-- flights are the evidence for its brands.
create table reference.brand_flights (
    carrier varchar not null,
    brand varchar not null,
    origin varchar not null,
    dest varchar not null,
    year smallint not null,
    flight_count integer not null
);

-- One row per hazard of models/weather-risk.json. full_risk is the risk at full effect; typical is the share of the
-- full effect on a typical day.
create table reference.weather_hazards (
    hazard varchar primary key,
    reading varchar not null,
    from_value double not null,
    to_value double not null,
    full_risk double not null,
    typical double not null
);

-- One row after the reference tables are filled: a sha256 of everything they were filled from.
create table reference.inputs (
    sha256 varchar not null
);

-- The ledger, from the files of lake/runs: inputs with their hashes, rows, rejects, code and error of every run.
create table ops.runs (
    run_id varchar primary key,
    step varchar not null,
    outcome varchar not null,
    started_at timestamptz not null,
    finished_at timestamptz not null,
    code_version varchar,
    -- [{name, sha256}]
    inputs json,
    rows_in bigint,
    rows_out bigint,
    rows_rejected bigint,
    -- {reason: rows}
    rejects json,
    error varchar,
    -- Report of the step; for a build, with the result of every check.
    detail json
);

-- One row per check of the last build.
create table ops.check_results (
    check_name varchar primary key,
    severity varchar not null,
    failures bigint not null,
    checked_at timestamptz not null
);

-- Monthly sums of old runs that the ledger no longer has one by one, from the summaries in lake/runs.
create table ops.run_months (
    month date not null,
    step varchar not null,
    outcome varchar not null,
    run_count bigint not null,
    seconds double not null,
    rows_in bigint not null,
    rows_out bigint not null,
    rows_rejected bigint not null,
    first_at timestamptz not null,
    last_at timestamptz not null,
    primary key (month, step, outcome)
);

-- One row if the models are complete: a sha256 of everything they were built from. No row while a build is running.
create table ops.build_inputs (
    sha256 varchar not null
);

-- One row per view of sql/views: a hash of the text it was last created from, including the path of the lake.
create table ops.views_made (
    view_name varchar primary key,
    sha256 varchar not null
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
-- The sum uses decimals. A sum of doubles depends on the order of the rows, and threads change this order. A rebuilt
-- warehouse must give the same marts to the last bit.
create macro prior_strength(events, trials, prior) as least(100000, greatest(1,
    coalesce(sum((greatest(trials - 1, 0) * prior * (1 - prior))::decimal(38, 12))::double, 0)
    / greatest(
        1e-9,
        coalesce(
            sum(
                (trials * power(events / nullif(trials, 0) - prior, 2) - prior * (1 - prior))::decimal(38, 12)
            )::double,
            0
        )
    ) - 1
));

-- Converts a change in log-odds. The argument is a change in the log-odds of being 15 minutes late or more, which is
-- the figure in the delay-cause table. The result is the matching change in the log-odds of being more than 30 minutes
-- late. Measured factors: 1.24 over the months of 2018, 1.17 over the months of 20 hubs in 2024 and 2025.
create macro delayed_by_late(late_log_odds) as 1.2 * late_log_odds;

-- Whether a month of raw.lake_months stands for a whole year.
create macro is_year(month) as list_contains(
    (select coalesce(list(lake_months.month), []) from raw.lake_months where lake_months.period_months = 12),
    month
);

-- The month from which the age of a month's flights is counted: the month itself or, for a whole year, its July.
create macro middle_of(month) as case when is_year(month) then (month - interval 5 months)::date else month end;
