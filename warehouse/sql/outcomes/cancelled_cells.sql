-- One row per airline-route, scheduled local departure hour and half-year, with the numbers of flights and of cancelled
-- flights. Recent flights have more weight. `logOdds` is the expected cancellation rate, as log-odds. It follows from
-- the usual rate of the airline-route and the levels of the months.
with
counted as (
    select
        route,
        local_hour,
        half_year,
        sum((cancelled_from * weight::double * season_depth)::decimal(28, 9)) as seasonal_count,
        sum(cancelled_from * weight) as from_count,
        sum(counts.cancelled_count * weight) as step_count,
        sum((cancelled_from * weight::double * expit(logit(greatest(1e-6, otp.cancelled_rate)) + months.log_odds))::decimal(28, 9)) as expected_count
    from outcome_counts as counts
    inner join outcome_months as months on months.month::date = counts.month and months.step = 'cancelled'
    inner join outcome_routes using (route)
    inner join marts.route_carrier_otp as otp using (origin, dest, carrier)
    group by all
)

select
    route,
    local_hour as hour,
    (half_year = 'S')::integer as summer,
    round(seasonal_count::double / from_count::double, 9) as "seasonDepth",
    null::integer as month,
    from_count::double as flights,
    step_count::double as delayed,
    round(bounded_logit(expected_count::double / from_count::double), 9) as "logOdds"
from counted
order by route, half_year, local_hour
