-- the rates or counts of an airline-route are impossible
--   error: any row: no real file can cause such counts, so the build is broken
--   warn: never: every such row is an error
select
    origin,
    dest,
    carrier
from marts.route_carrier_otp
where
    not coalesce(delayed_rate > 0 and delayed_rate < 1, false)
    or not coalesce(cancelled_rate > 0 and cancelled_rate < 1, false)
    or delayed_count > completed_count
    or completed_count + cancelled_count > flight_count
    or delayed_min_sum < 30 * delayed_count
