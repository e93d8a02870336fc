-- One row per origin, dest and carrier: counts over the whole history.
-- flight_count to delayed_min_sum are as they were; the weighted counts, behind the rates, weigh recent months more.
create or replace table intermediate.int_route_carrier_counts as
with
months as (
    select
        origin,
        dest,
        carrier,
        month,
        sum(flight_count)::bigint as flight_count,
        sum(completed_count)::bigint as completed_count,
        sum(delayed_count)::bigint as delayed_count,
        sum(cancelled_count)::bigint as cancelled_count,
        sum(delayed_min_sum)::bigint as delayed_min_sum
    from raw.route_hours
    group by all
),

weights as (
    select * from intermediate.int_month_weights
),

counts as (
    select
        months.origin,
        months.dest,
        months.carrier,
        sum(months.flight_count)::bigint as flight_count,
        sum(months.completed_count)::bigint as completed_count,
        sum(months.delayed_count)::bigint as delayed_count,
        sum(months.cancelled_count)::bigint as cancelled_count,
        sum(months.delayed_min_sum)::bigint as delayed_min_sum,
        sum(months.flight_count * weights.weight) as weighted_flight_count,
        sum(months.completed_count * weights.weight) as weighted_completed_count,
        sum(months.delayed_count * weights.weight) as weighted_delayed_count,
        sum(months.cancelled_count * weights.weight) as weighted_cancelled_count
    from months
    inner join weights using (month)
    group by all
    order by all
)

select * from counts
