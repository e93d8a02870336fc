-- One row per flight of the lake, as its source told it. Months known in sums alone have none here: raw.route_hours has them.
-- Reads the Parquet files of the lake; where a flight_date is asked for, little but the rows of that day.
--   flight_number, tail_number: null where the source tells none
--   dep_time, arr_time: actual local time, hhmm
--   dep_delay_min, arr_delay_min: minutes late; early is negative
--   delay_min: of the two, the one that counts (delay_basis); null for flights cancelled or diverted
--   is_delayed: delay_min above 30; null where delay_min is
--   is_cancelled: as told
--   cancellation_code: A carrier, B weather, C air traffic system, D security
--   is_diverted: as told; a cancelled flight is not diverted
--   distance_mi: statute miles
create or replace view main.flights as
with
told as (
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
        null::smallint as distance_mi
    where false
),

-- What no manifest names does not count: a file that was just replaced, or was never finished.
counting as (
    select
        replace(filename, 'manifest.json', files.flights.name) as filename,
        source.name as source_name,
        "delayBasis" as delay_basis
    from $manifests
    where files.flights.name is not null
),

flights as (
    select
        make_date(told.year, told.month, 1) as month,
        told.flight_date,
        coalesce(told.weekday, isodow(told.flight_date))::tinyint as weekday,
        told.carrier,
        told.flight_number,
        told.tail_number,
        told.origin,
        told.dest,
        told.crs_dep_time,
        told.crs_arr_time,
        told.dep_time,
        told.arr_time,
        told.dep_delay_min,
        told.arr_delay_min,
        case
            when told.is_cancelled or coalesce(told.is_diverted, false) then null
            when counting.delay_basis = 'arrival' then told.arr_delay_min
            else told.dep_delay_min
        end as delay_min,
        delay_min > 30 as is_delayed,
        told.is_cancelled,
        told.cancellation_code,
        coalesce(told.is_diverted, false) and not told.is_cancelled as is_diverted,
        told.distance_mi,
        counting.delay_basis,
        counting.source_name
    from told
    inner join counting using (filename)
)

select * from flights
