-- One row per month, carrier and airport of arrival, with the number of flights that arrived and the number of flights
-- that arrived 15 minutes late or more. The counts come from the delay-cause table and, for newer months, from the
-- arrival delays of single flights. With the table alone, levels would be as old as the table.
--   airport: airport of arrival, IATA code
--   is_whole: whether the row comes from the table, which has all flights
--   arrived_count: flights that arrived
--   late_count: flights that arrived 15 minutes late or more
create or replace table intermediate.int_level_counts as
with
delay_causes as (
    select * from raw.delay_causes
),

newest as (
    select max(month) as month
    from delay_causes
),

counts as (
    select
        month,
        carrier,
        airport,
        true as is_whole,
        arr_flights - arr_cancelled - arr_diverted as arrived_count,
        arr_del15 as late_count
    from delay_causes
    where arr_flights > arr_cancelled + arr_diverted
    union all
    select
        route_hours.month,
        route_hours.carrier,
        route_hours.dest as airport,
        false as is_whole,
        sum(route_hours.completed_count)::integer as arrived_count,
        sum(route_hours.delayed15_count)::integer as late_count
    from raw.route_hours
    inner join newest on route_hours.month > newest.month
    where route_hours.completed_count > 0 and route_hours.delay_basis = 'arrival'
    group by all
)

select * from counts
