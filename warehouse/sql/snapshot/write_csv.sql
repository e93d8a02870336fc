-- Writes the forecasts of a snapshot to a CSV file with a header.
copy (
    select * from snapshot_forecasts
    order by provider, airline, origin, destination, dep_hour
) to $file (format csv, header true)
