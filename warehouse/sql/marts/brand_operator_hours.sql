-- One row per origin, dest, brand, operator and scheduled local departure hour, with the number of the operator's
-- flights that the brand sells; recent months have more weight. A combination has rows here only if brand_operators has
-- a row for it.
create or replace table marts.brand_operator_hours as
select
    origin,
    dest,
    brand,
    carrier,
    crs_dep_hour as local_hour,
    round(weighted_flight_count, 3)::double as weighted_flight_count
from intermediate.int_brand_hours
where crs_dep_hour is not null
order by all
