-- an airport with flights is missing from the reference data; its flights cannot be requested
--   error: unknown_share > 0.5: most flights cannot be requested, so the reference data is broken; real files have well
--     under 1 % of such flights
--   warn: any row: a person can add the airport
with
routes as (
    select
        origin,
        dest,
        sum(flight_count) as flight_count
    from raw.route_hours
    group by all
),

known as (
    select
        *,
        origin in (select iata from reference.airports) as is_origin_known,
        dest in (select iata from reference.airports) as is_dest_known
    from routes
),

unknown as (
    select unnest([if(is_origin_known, null, origin), if(is_dest_known, null, dest)]) as iata
    from known
),

totals as (
    select
        sum(flight_count) as flight_count,
        coalesce(sum(flight_count) filter (where not (is_origin_known and is_dest_known)), 0) as unknown_count
    from known
)

select distinct
    unknown.iata,
    round(totals.unknown_count / totals.flight_count, 4) as unknown_share
from unknown
cross join totals
where unknown.iata is not null
order by unknown.iata
