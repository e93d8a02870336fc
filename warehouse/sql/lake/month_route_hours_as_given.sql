-- One row per month, carrier, brand, origin, dest and scheduled local departure hour, copied from a file of sums.
select
    * exclude (reject) replace (
        flight_count::integer as flight_count,
        cancelled_count::integer as cancelled_count,
        diverted_count::integer as diverted_count,
        completed_count::integer as completed_count,
        delayed15_count::integer as delayed15_count,
        delayed_count::integer as delayed_count,
        delayed45_count::integer as delayed45_count,
        delayed60_count::integer as delayed60_count,
        delayed90_count::integer as delayed90_count,
        delayed120_count::integer as delayed120_count,
        delayed180_count::integer as delayed180_count,
        delayed360_count::integer as delayed360_count
    )
from checked_route_hours
where
    month = $month::date
    and reject is null
order by carrier, origin, dest, crs_dep_hour, brand, delay_basis
