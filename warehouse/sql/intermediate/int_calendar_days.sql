-- One row per flight_date and country, with the log-odds of delay on that day relative to the log-odds of the same
-- airports in that month. The mean over the days is subtracted, because a few terrible days raise the odds of the whole
-- month. Days with fewer than 20 completed flights are left out, because their odds are mostly noise. Values are
-- rounded, because the last bit of a sum of fractions depends on the order of the rows.
--   log_odds: log-odds of delay, relative to the month
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
        round(sum(airport_days.completed_count * airport_months.delayed_rate), 6) as expected_count
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
        round(log_odds - avg(log_odds) over (), 9) as log_odds
    from scored
    order by flight_date, country_code
)

select * from centred
