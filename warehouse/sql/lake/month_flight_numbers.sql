-- One row per flight number and leg in a month of flights. A leg is included if the number served it in the seven days
-- up to the number's last flight in the month. A leg has its usual operating airline and its usual times in the two
-- weeks up to that flight. The number of an airline that only sells the flight has the same legs as the number of the
-- operating airline. Rare legs are left out: those with fewer than a quarter of the flights of the number's most
-- frequent leg.
with
-- Adds the columns that files of some sources and older files do not have. Adds no row.
file_rows as (
    select * from read_parquet($file, hive_partitioning = false)
    union all by name
    select
        null::varchar as brand,
        null::varchar as brand_flight_number,
        null::varchar as codeshares
    where false
),

flights as (
    select
        coalesce(brand, carrier) as airline,
        -- The number on a ticket is only known together with the airline on the ticket.
        try_cast(if(brand is null, flight_number, coalesce(brand_flight_number, flight_number)) as integer) as number,
        codeshares,
        flight_date,
        origin,
        dest,
        carrier,
        crs_dep_time,
        crs_arr_time
    from file_rows
),

codeshares as (
    select
        unnest(string_split(codeshares, ',')) as code,
        * exclude (airline, number, codeshares)
    from flights
    where codeshares is not null
),

sold as (
    select * exclude (codeshares)
    from flights
    union all by name
    select
        left(code, 2) as airline,
        try_cast(substr(code, 3) as integer) as number,
        * exclude (code)
    from codeshares
    where regexp_full_match(code, '[A-Z0-9]{2}[0-9]{1,4}')
),

last_dates as (
    select
        airline,
        number,
        max(flight_date) as last_date
    from sold
    where number between 1 and 9999
    group by airline, number
),

recent as (
    select
        sold.*,
        last_dates.last_date
    from sold
    inner join last_dates using (airline, number)
    where coalesce(sold.flight_date > last_dates.last_date - 14, true)
),

-- The usual operating airline and times of a leg are the most frequent combination. If several are equally frequent,
-- the newest is used.
by_times as (
    select
        airline,
        number,
        origin,
        dest,
        carrier,
        crs_dep_time,
        crs_arr_time,
        sum(count(*)) over (partition by airline, number, origin, dest) as flight_count,
        coalesce(
            max(max(flight_date)) over (partition by airline, number, origin, dest) > any_value(last_date) - 7,
            true
        ) as is_current
    from recent
    group by airline, number, origin, dest, carrier, crs_dep_time, crs_arr_time
    qualify row_number() over (
        partition by airline, number, origin, dest
        order by count(*) desc, max(flight_date) desc, carrier, crs_dep_time, crs_arr_time
    ) = 1
)

select
    $month::date as month,
    airline as brand,
    number as flight_number,
    origin,
    dest,
    carrier,
    crs_dep_time,
    crs_arr_time,
    flight_count::integer as flight_count
from by_times
where is_current
qualify flight_count >= max(flight_count) over (partition by airline, number) / 4
order by all
