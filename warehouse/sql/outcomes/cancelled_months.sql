-- Adds the level of cancellations in each month with flights, relative to the usual rates of the airline-routes that
-- were flown in the month.
insert into outcome_months
with
months as (
    select
        counts.month,
        sum(counts.cancelled_from) as from_count,
        sum(counts.cancelled_count) as step_count,
        sum((counts.cancelled_from * otp.cancelled_rate)::decimal(28, 9)) as expected_count
    from outcome_counts as counts
    inner join outcome_routes using (route)
    inner join marts.route_carrier_otp as otp using (origin, dest, carrier)
    group by all
)

select
    'cancelled' as step,
    month::varchar as month,
    -- A hundred cancellations at the usual rate are added, so that months with few flights stay near this rate.
    ln((step_count + 100)::double / (expected_count::double + 100)) as log_odds,
    0 as season
from months
