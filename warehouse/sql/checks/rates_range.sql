-- a rate of an airport, a carrier, a route or the network is not between 0 and 1
--   error: any row: rates are shrunk and cannot reach 0 or 1, so the build is broken
--   warn: never: every such row is an error
with
rates as (
    select
        concat_ws(' ', kind, code) as rate_of,
        delayed_rate,
        cancelled_rate
    from marts.group_rates
    union all
    select
        concat_ws(' ', origin, dest) as rate_of,
        delayed_rate,
        cancelled_rate
    from marts.route_otp
    union all
    select
        'network' as rate_of,
        delayed_rate,
        cancelled_rate
    from marts.network
)

select *
from rates
where
    not coalesce(delayed_rate > 0 and delayed_rate < 1, false)
    or not coalesce(cancelled_rate > 0 and cancelled_rate < 1, false)
