-- loaded flights are missing from a mart
--   error: any row: without these flights, figures are wrong, and nothing else shows it
--   warn: never: every such row is an error
with
loaded as (
    select coalesce(sum(flight_count), 0) as flight_count
    from raw.route_hours
),

marts as (
    select
        'route_carrier_otp' as mart,
        coalesce(sum(flight_count), 0) as flight_count
    from marts.route_carrier_otp
    union all
    select
        'route_otp' as mart,
        coalesce(sum(flight_count), 0) as flight_count
    from marts.route_otp
)

select
    marts.mart,
    loaded.flight_count - marts.flight_count as missing_count
from marts
cross join loaded
where marts.flight_count <> loaded.flight_count
