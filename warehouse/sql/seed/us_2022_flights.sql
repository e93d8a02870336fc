-- One row per flight of February and April 2022, in the form of departures without times. An airline is only included
-- in a month if it has flights on every day of the month. The file has only seven days of United's February, so United
-- is left out of that month. For the included airlines, the numbers of flights match BTS's monthly table exactly.
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
