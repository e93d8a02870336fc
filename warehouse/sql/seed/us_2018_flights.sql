-- One row per flight of 2018, in the by-month form: 16 carriers from all airports, and Southwest from all airports
-- except the 29 largest. One file has the 16 carriers without Southwest. Only Southwest is read from the other file, so
-- no flight is read twice.
copy (
    select
        OP_CARRIER,
        FL_MONTH,
        ORIGIN,
        DEST,
        CRS_DEP_TIME,
        ARR_DELAY,
        CANCELLED
    from read_parquet(getvariable('carriers_file'))
    union all
    select
        'WN' as OP_CARRIER,
        "Month" as FL_MONTH,
        "Origin" as ORIGIN,
        "Destination" as DEST,
        "Scheduled Departure Time" as CRS_DEP_TIME,
        "Arrival Delay Time (mins)" as ARR_DELAY,
        "Flight Cancellation" as CANCELLED
    from read_parquet(getvariable('airports_file'))
    where "Airline" = 'Southwest Airlines Co.'
) to (getvariable('flights_file')) (format parquet, compression zstd)
