-- One row per kind (origin, origin_weekday, carrier, brand, route), code and slot of the day or year, with plain counts
-- that are not weighted by age. For origin, carrier and brand, the slot is `24 * (month of the year - 1) + hour of
-- departure`. Flights without an hour are left out. For origin_weekday, the slot is `24 * (ISO weekday - 1) + hour`.
-- Only sources with weekdays have origin_weekday; its cancellations are unknown and stored as 0. For route (JFKLAX),
-- every flight of a known month counts in the slot `month of the year - 1`. Every flight with an hour also counts in
-- the slot `12 + hour`.
--   kind: origin, origin_weekday, carrier, brand (only brands with flights of other operators) or route
--   code: code of the airport, airline or route
--   slot: number of the slot; the meaning of the number depends on kind, see the description of the table
create or replace table marts.record_cells as
with
origins as (
    select
        'origin' as kind,
        origin as code,
        24 * (month(month) - 1) + crs_dep_hour as slot,
        sum(completed_count) as completed_count,
        sum(delayed_count) as delayed_count,
        sum(cancelled_count) as cancelled_count
    from raw.route_hours
    where crs_dep_hour is not null
    group by all
),

carriers as (
    select
        'carrier' as kind,
        carrier as code,
        24 * (month(month) - 1) + crs_dep_hour as slot,
        sum(completed_count) as completed_count,
        sum(delayed_count) as delayed_count,
        sum(cancelled_count) as cancelled_count
    from raw.route_hours
    where crs_dep_hour is not null
    group by all
),

brands as (
    select
        'brand' as kind,
        brand as code,
        24 * (month(month) - 1) + crs_dep_hour as slot,
        round(sum(completed_count)) as completed_count,
        round(sum(delayed_count)) as delayed_count,
        round(sum(cancelled_count)) as cancelled_count
    from intermediate.int_brand_months
    where crs_dep_hour is not null
    group by all
),

route_months as (
    select
        'route' as kind,
        origin || dest as code,
        month(month) - 1 as slot,
        sum(completed_count) as completed_count,
        sum(delayed_count) as delayed_count,
        sum(cancelled_count) as cancelled_count
    from raw.route_hours
    where not is_year(month)
    group by all
),

routes as (
    select
        'route' as kind,
        origin || dest as code,
        12 + crs_dep_hour as slot,
        sum(completed_count) as completed_count,
        sum(delayed_count) as delayed_count,
        sum(cancelled_count) as cancelled_count
    from raw.route_hours
    where crs_dep_hour is not null
    group by all
),

origin_weekdays as (
    select
        'origin_weekday' as kind,
        airport as code,
        24 * (weekday - 1)::integer + local_hour as slot,
        sum(completed_count) as completed_count,
        sum(delayed_count) as delayed_count,
        0 as cancelled_count
    from raw.airport_hours
    where weekday is not null and crs_dep_count > 0
    group by all
),

flights as (
    select * from origins
    union all
    select * from carriers
    union all
    select * from brands
    union all
    select * from route_months
    union all
    select * from routes
    union all
    select * from origin_weekdays
),

record_cells as (
    select
        kind,
        code,
        slot::integer as slot,
        completed_count::bigint as completed_count,
        delayed_count::bigint as delayed_count,
        cancelled_count::bigint as cancelled_count
    from flights
    order by kind, code, slot
)

select * from record_cells
