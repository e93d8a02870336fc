-- One row per flight of Southwest in January 2018 from the 29 largest airports, in the form of departures without
-- times. `us_2018_flights` does not have these flights, because its sources do not have Southwest at these airports.
copy (
    select
        departures.FlightDate,
        departures.Airline,
        departures.Origin,
        departures.Dest,
        departures.DepDelay
    from read_parquet(getvariable('departures_file')) as departures
    anti join read_parquet(getvariable('airports_file')) as airports on airports."Origin" = departures.Origin
    where
        departures.Airline = 'Southwest Airlines Co.'
        and departures.FlightDate::date < date '2018-02-01'
) to (getvariable('flights_file')) (format parquet, compression zstd)
