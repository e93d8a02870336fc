-- One row per flight_date and country: how far the log-odds of delay that day lie from those of its airports in that month.
-- Centred on the average day: a few terrible days put the month's odds above those of most of its days.
-- Days with fewer than 20 completed flights are left out: their odds are mostly noise.
create or replace table intermediate.int_calendar_days as
with
airport_days as (
    select * from intermediate.int_airport_days
),

airport_months as (
    select
        airport,
        date_trunc('month', flight_date) as month,
        (sum(delayed_count) + 0.5) / (sum(completed_count) + 1) as delayed_rate
    from airport_days
    group by all
),

expected as (
    select
        airport_days.flight_date,
        airports.country_code,
        sum(airport_days.completed_count) as completed_count,
        sum(airport_days.delayed_count) as delayed_count,
        -- Ordered: the last bits of a sum of fractions depend on it.
        sum(airport_days.completed_count * airport_months.delayed_rate order by airport_days.airport) as expected_count
    from airport_days
    inner join airport_months
        on airport_months.airport = airport_days.airport
        and airport_months.month = date_trunc('month', airport_days.flight_date)
    inner join reference.airports as airports on airports.iata = airport_days.airport
    group by all
),

scored as (
    select
        flight_date,
        country_code,
        logit((delayed_count + 0.5) / (completed_count + 1))
        - logit(expected_count / completed_count) as log_odds
    from expected
    where completed_count >= 20
),

centred as (
    select
        flight_date,
        country_code,
        log_odds - (select avg(log_odds order by log_odds) from scored) as log_odds
    from scored
    order by flight_date, country_code
)

select * from centred
