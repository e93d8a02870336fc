-- flights of a month contradict the delay-cause table: an airline at an airport has more flights, late flights, flights
-- on time or cancelled flights than BTS counted; the month belongs to another year, was counted twice or was invented
--   error: above_share > 0.5: counts are too high for most flights of the month; a sample, one region or a part of the
--     month is a subset of BTS's flights, so its counts cannot be above the table
--   warn: above_share > 0.05: real months reach 1.4 %, because their source is older than a correction of the table
--   least = 0.02: share by which a count must be above the table; an excess of one or two flights is ignored
with
months as (
    select month
    from raw.delay_cause_months
),

-- Airlines that the table does not have, such as C5 before 2023, cannot be compared.
carriers as (
    select distinct
        month,
        carrier
    from raw.delay_causes
),

arrivals as (
    select
        route_hours.month,
        route_hours.carrier,
        route_hours.dest as airport,
        sum(route_hours.flight_count) as flight_count,
        sum(route_hours.cancelled_count) as cancelled_count,
        sum(route_hours.delayed15_count) as late_count,
        sum(route_hours.completed_count - route_hours.delayed15_count) as on_time_count,
        bool_and(route_hours.delay_basis = 'arrival') as is_by_arrival
    from raw.route_hours
    inner join months using (month)
    inner join carriers using (month, carrier)
    group by all
),

cells as (
    select
        arrivals.*,
        coalesce(causes.arr_flights, 0) as table_flight_count,
        coalesce(causes.arr_cancelled, 0) as table_cancelled_count,
        coalesce(causes.arr_del15, 0) as table_late_count,
        coalesce(causes.arr_flights - causes.arr_cancelled - causes.arr_diverted - causes.arr_del15, 0)
            as table_on_time_count
    from arrivals
    left join raw.delay_causes as causes using (month, carrier, airport)
),

compared as (
    select
        month,
        flight_count,
        flight_count > table_flight_count + greatest(2, $least * table_flight_count)
        or is_by_arrival and (
            cancelled_count > table_cancelled_count + greatest(2, $least * table_cancelled_count)
            or late_count > table_late_count + greatest(2, $least * table_late_count)
            or on_time_count > table_on_time_count + greatest(2, $least * table_on_time_count)
        ) as is_above
    from cells
)

select
    month,
    coalesce(sum(flight_count) filter (where is_above), 0) as above_count,
    sum(flight_count) as flight_count,
    round(coalesce(sum(flight_count) filter (where is_above), 0) / sum(flight_count), 4) as above_share
from compared
group by month
order by month
