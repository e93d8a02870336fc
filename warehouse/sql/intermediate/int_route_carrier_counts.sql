-- One row per origin, dest and carrier, with counts over the whole history. The columns from flight_count to
-- delayed_min_sum are plain counts. In the weighted counts recent months have more weight; rates are computed from the
-- weighted counts.
create or replace table intermediate.int_route_carrier_counts as
with
route_hours as (
    select * from raw.route_hours
),

weights as (
    select * from intermediate.int_month_weights
),

shifts as (
    select * from intermediate.int_cancel_shifts
),

counts as (
    select
        route_hours.origin,
        route_hours.dest,
        route_hours.carrier,
        sum(route_hours.flight_count)::bigint as flight_count,
        sum(route_hours.completed_count)::bigint as completed_count,
        sum(route_hours.delayed_count)::bigint as delayed_count,
        sum(route_hours.cancelled_count)::bigint as cancelled_count,
        sum(route_hours.delayed_min_sum)::bigint as delayed_min_sum,
        sum(route_hours.flight_count * weights.weight) as weighted_flight_count,
        sum(route_hours.completed_count * weights.weight) as weighted_completed_count,
        sum(route_hours.delayed_count * weights.weight) as weighted_delayed_count,
        -- Adjusts cancellations to today's rate; see int_cancel_shifts.
        sum(least(
            route_hours.flight_count,
            route_hours.cancelled_count * (coalesce(origins.factor, 1) * coalesce(dests.factor, 1))::decimal(12, 6)
        ) * weights.weight) as weighted_cancelled_count
    from route_hours
    inner join weights using (month)
    left join shifts as origins
        on origins.month = route_hours.month
        and origins.carrier = route_hours.carrier
        and origins.airport = route_hours.origin
    left join shifts as dests
        on dests.month = route_hours.month and dests.carrier = route_hours.carrier and dests.airport = route_hours.dest
    group by all
    order by all
)

select * from counts
