-- Writes the forecasts of a snapshot to a Parquet file.
copy (
    select * from snapshot_forecasts
    order by provider, airline, origin, destination, dep_hour
) to $file (format parquet, compression zstd)
