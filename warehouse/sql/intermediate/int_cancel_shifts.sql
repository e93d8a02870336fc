-- One row per month with flights, carrier and airport. Carriers and airports come from the delay-cause table. The row
-- has the weight that a cancelled flight of that month has today. Cancellation odds change over the years, so old
-- records are adjusted by half of the change: a quarter for each end of the flight. With the full change, forecasts
-- from months with many cancellations would be too high; see docs/features.md.
-- Rates are shrunk with a strength of 200 flights: the rate at an airport toward the airline's rate in that month, and
-- the airline's rate toward the network's rate.
--   factor: weight of one cancelled flight, per end of the flight
create or replace table intermediate.int_cancel_shifts as
with
newest as (
    select max(month) as month
    from raw.delay_causes
),

-- `month` is null for the present, which is the newest twelve months.
spans as (
    select
        causes.month,
        causes.carrier,
        causes.airport,
        causes.arr_flights,
        causes.arr_cancelled
    from raw.delay_causes as causes
    where causes.month in (select month from raw.lake_months)
    union all
    select
        null::date as month,
        causes.carrier,
        causes.airport,
        causes.arr_flights,
        causes.arr_cancelled
    from raw.delay_causes as causes
    inner join newest on causes.month > newest.month - to_months(12)
),

networks as (
    select
        month,
        sum(arr_cancelled) / sum(arr_flights) as cancelled_rate
    from spans
    group by all
),

carriers as (
    select
        spans.month,
        spans.carrier,
        shrink(sum(spans.arr_cancelled), sum(spans.arr_flights), any_value(networks.cancelled_rate), 200) as cancelled_rate
    from spans
    inner join networks on networks.month is not distinct from spans.month
    group by all
),

airports as (
    select
        spans.month,
        spans.carrier,
        spans.airport,
        shrink(sum(spans.arr_cancelled), sum(spans.arr_flights), any_value(carriers.cancelled_rate), 200) as cancelled_rate
    from spans
    inner join carriers on carriers.month is not distinct from spans.month and carriers.carrier = spans.carrier
    group by all
),

shifts as (
    select
        airports.month,
        airports.carrier,
        airports.airport,
        round(power(
            odds(coalesce(now_there.cancelled_rate, now_airlines.cancelled_rate) + 0.0001)
            / odds(airports.cancelled_rate + 0.0001), 0.25
        ), 6) as factor
    from airports
    inner join carriers as now_airlines on now_airlines.month is null and now_airlines.carrier = airports.carrier
    left join airports as now_there
        on now_there.month is null and now_there.carrier = airports.carrier and now_there.airport = airports.airport
    where airports.month is not null
    order by all
)

select * from shifts
