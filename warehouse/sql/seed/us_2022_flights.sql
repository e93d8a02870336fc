-- One row per flight of February and April 2022, in the form of departures without times, of airlines with whole
-- months. The file ends within United's part of February, so United has only seven days of that month. An airline
-- without flights on every day of a month is left out of the month. The numbers of flights of all other airlines match
-- BTS's monthly table exactly.
copy (
    with
    flights as (
        select
            FlightDate,
            Airline,
            Origin,
            Dest,
            DepDelay,
            FlightDate::date as flight_date,
            date_trunc('month', flight_date) as month
        from read_parquet(getvariable('departures_file'))
    ),

    whole_months as (
        select
            Airline,
            month
        from flights
        group by all
        having count(distinct flight_date) = day(last_day(month))
    )

    select
        FlightDate,
        Airline,
        Origin,
        Dest,
        DepDelay
    from flights
    inner join whole_months using (Airline, month)
) to (getvariable('flights_file')) (format parquet, compression zstd)
