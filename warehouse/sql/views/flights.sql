-- One row per flight of the lake, as its source reported it. Months for which the source has only sums have no rows
-- here; see raw.route_hours. Reads the Parquet files of the lake. A query with a filter on flight_date reads little
-- more than the rows of that day.
--   flight_number: number under which the operator flies; null if the source has none
--   codeshares: numbers of airlines that only sell the flight, separated by commas; null if the source has none
--   tail_number: null if the source has none
--   brand: airline whose code is on the ticket; null if the source has only operators
--   brand_flight_number: number on the ticket; null if the source has only operators
--   dep_time, arr_time: actual local time, hhmm
--   dep_delay_min, arr_delay_min: minutes late; early is negative
--   delay_min: the delay selected by delay_basis, in minutes; null for cancelled and diverted flights
--   is_delayed: whether delay_min is above 30; null if delay_min is null
--   is_cancelled: as the source reports it
--   cancellation_code: A carrier, B weather, C air traffic system, D security
--   is_diverted: as the source reports it; a cancelled flight is never diverted
--   distance_mi: statute miles
create or replace view main.flights as
with
file_rows as (
    select * from $flights
    union all by name
    select
        null::varchar as filename,
        null::integer as year,
        null::integer as month,
        null::date as flight_date,
        null::tinyint as weekday,
        null::varchar as carrier,
        null::varchar as flight_number,
        null::varchar as codeshares,
        null::varchar as tail_number,
        null::varchar as origin,
        null::varchar as dest,
        null::smallint as crs_dep_time,
        null::smallint as crs_arr_time,
        null::smallint as dep_time,
        null::smallint as arr_time,
        null::smallint as dep_delay_min,
        null::smallint as arr_delay_min,
        null::boolean as is_cancelled,
        null::varchar as cancellation_code,
        null::boolean as is_diverted,
        null::smallint as distance_mi,
        null::varchar as brand,
        null::varchar as brand_flight_number
    where false
),

-- Only files that a manifest names are read. Other files were replaced or are not finished.
manifest_files as (
    select
        replace(filename, 'manifest.json', files.flights.name) as filename,
        source.name as source_name,
        "delayBasis" as delay_basis
    from $manifests
    where files.flights.name is not null
),

flights as (
    select
        make_date(file_rows.year, file_rows.month, 1) as month,
        file_rows.flight_date,
        coalesce(file_rows.weekday, isodow(file_rows.flight_date))::tinyint as weekday,
        file_rows.carrier,
        file_rows.flight_number,
        file_rows.codeshares,
        file_rows.tail_number,
        file_rows.origin,
        file_rows.dest,
        file_rows.crs_dep_time,
        file_rows.crs_arr_time,
        file_rows.dep_time,
        file_rows.arr_time,
        file_rows.dep_delay_min,
        file_rows.arr_delay_min,
        case
            when file_rows.is_cancelled or coalesce(file_rows.is_diverted, false) then null
            when manifest_files.delay_basis = 'arrival' then file_rows.arr_delay_min
            else file_rows.dep_delay_min
        end as delay_min,
        delay_min > 30 as is_delayed,
        file_rows.is_cancelled,
        file_rows.cancellation_code,
        coalesce(file_rows.is_diverted, false) and not file_rows.is_cancelled as is_diverted,
        file_rows.distance_mi,
        file_rows.brand,
        file_rows.brand_flight_number,
        manifest_files.delay_basis,
        manifest_files.source_name
    from file_rows
    inner join manifest_files using (filename)
)

select * from flights
