-- One row per form of flight files that has conflicts with the delay-cause table. Only months that are in the files and
-- in the table are compared. A comparison is for one airline at one airport of arrival in one month. A conflict is a
-- difference of more than 2 % and at least three, in flights, cancellations or late arrivals. For files with departures
-- only, just the numbers of flights are compared.
-- An airline is only compared in a month if the files seem to have all its flights. First, nine tenths of its flights
-- must be at airports where about as many of its flights leave as arrive. Second, the files must have at least four
-- fifths of the flights that the table has for the airline. Files of one region and samples meet neither condition. An
-- airline at a single airport is also compared if the files and the table have the same number of flights (at least
-- 30), because this is rarely chance.
--   first_month, last_month: first and last month with a conflict, YYYY-MM
--   compared_count: number of comparisons; each comparison covers one airline at one airport of arrival in one month
--   told_count: flights that the table has in all comparisons
--   conflict_count: number of comparisons in conflict
--   conflict_flight_count: flights that the table has in the conflicts
--   flight_count: flights that the files have in all comparisons
--   most: the comparison with the largest difference
create or replace table intermediate.int_level_conflicts as
with
months as (
    select
        month,
        flights.source_form,
        flights.source_name
    from raw.lake_months as flights
    inner join raw.delay_cause_months using (month)
),

arrivals as (
    select
        route_hours.month,
        route_hours.carrier,
        route_hours.dest as airport,
        sum(route_hours.flight_count) as flight_count,
        sum(route_hours.cancelled_count) as cancelled_count,
        sum(route_hours.delayed15_count) as late_count,
        bool_and(route_hours.delay_basis = 'arrival') as is_by_arrival
    from raw.route_hours
    inner join months using (month)
    group by all
),

departures as (
    select
        route_hours.month,
        route_hours.carrier,
        route_hours.origin as airport,
        sum(route_hours.flight_count) as flight_count
    from raw.route_hours
    inner join months using (month)
    group by all
),

cells as (
    select
        months.month,
        months.source_form,
        months.source_name,
        causes.carrier,
        causes.airport,
        causes.arr_flights as told_count,
        causes.arr_cancelled as told_cancelled_count,
        causes.arr_del15 as told_late_count,
        coalesce(arrivals.flight_count, 0) as flight_count,
        coalesce(arrivals.cancelled_count, 0) as cancelled_count,
        coalesce(arrivals.late_count, 0) as late_count,
        coalesce(arrivals.is_by_arrival, false) as is_by_arrival,
        coalesce(abs(arrivals.flight_count - departures.flight_count) <= 2 + 0.05 * arrivals.flight_count, false)
            as is_balanced
    from raw.delay_causes as causes
    inner join months using (month)
    left join arrivals using (month, carrier, airport)
    left join departures using (month, carrier, airport)
),

classified as (
    select
        *,
        sum(told_count) filter (where is_balanced) over airline_month >= 0.9 * sum(told_count) over airline_month
        and sum(flight_count) over airline_month >= 0.8 * sum(told_count) over airline_month as is_network,
        flight_count = told_count as is_equal
    from cells
    window airline_month as (partition by month, carrier)
),

compared as (
    select
        *,
        abs(flight_count - told_count) > greatest(2, 0.02 * told_count)
        or is_by_arrival and (
            abs(cancelled_count - told_cancelled_count) > greatest(2, 0.02 * told_cancelled_count)
            or abs(late_count - told_late_count) > greatest(2, 0.02 * told_late_count)
        ) as is_conflict
    from classified
    where coalesce(is_network, false) or is_equal and told_count >= 30
),

conflicts as (
    select
        source_form,
        strftime(min(month) filter (where is_conflict), '%Y-%m') as first_month,
        strftime(max(month) filter (where is_conflict), '%Y-%m') as last_month,
        count(*) as compared_count,
        sum(told_count)::bigint as told_count,
        count(*) filter (where is_conflict) as conflict_count,
        coalesce(sum(told_count) filter (where is_conflict), 0)::bigint as conflict_flight_count,
        sum(flight_count)::bigint as flight_count,
        arg_max(
            {
                'month': strftime(month, '%Y-%m'),
                'carrier': carrier,
                'airport': airport,
                'source': source_name,
                'flights': flight_count::bigint,
                'told': told_count::bigint,
                'late': case when is_by_arrival then late_count::bigint end,
                'told_late': told_late_count::bigint
            },
            greatest(
                abs(flight_count - told_count),
                case when is_by_arrival then abs(late_count - told_late_count) else 0 end,
                case when is_by_arrival then abs(cancelled_count - told_cancelled_count) else 0 end
            )
        ) filter (where is_conflict) as most
    from compared
    group by source_form
    having bool_or(is_conflict)
    order by source_form
)

select * from conflicts
