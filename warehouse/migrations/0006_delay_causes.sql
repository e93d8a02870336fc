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

-- One row per loaded month of that table; a month has one source. rows_read = rows_loaded + rows_empty + rows_rejected.
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
