-- Replaces the routes of a month's current version, and deletes the days of this version. Another SQL file adds the
-- days again.
delete from current_routes where month = $month::date;
delete from current_days where month = $month::date;

insert into current_routes
select
    $month::date as month,
    carrier,
    origin,
    dest,
    sum(flight_count) as flights,
    coalesce(sum(flight_count) filter (where crs_dep_hour is not null), 0) as timed,
    coalesce(sum(flight_count) filter (where delay_basis = 'arrival'), 0) as arrivals,
    coalesce(sum(flight_count) filter (where brand is not null), 0) as branded
from (
    from read_parquet($routeHours, hive_partitioning = false)
    -- Adds the column `brand`, which files of older months do not have. Adds no row.
    union all by name
    select null::varchar as brand
    where false
)
group by all
