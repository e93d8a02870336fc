-- Writes the frozen forecasts to a Parquet file. Texts of dates and times become dates and timestamps.
copy (
    select * replace (
        night::date as night,
        frozen_at::timestamp as frozen_at,
        flight_date::date as flight_date,
        dep_weather_at::timestamp as dep_weather_at,
        arr_weather_at::timestamp as arr_weather_at
    )
    from frozen
    order by provider, carrier, origin, dest, crs_dep_hour, flight_date
) to $file (format parquet, compression zstd)
