-- One row per month whose flights the model learns from. If `is_forecast` is true, the model also learns from the month
-- as if it were forecast. It then uses only the effects that were known before the quarter of the month. Quarters are
-- three months, counted back from the newest month.
-- Arrival delays and departure delays are not comparable, so only flights with the most common delay basis are used.
-- The model learns from the newest twelve months. If these cover only a part of the network, such as a few airports,
-- older months are added until the flights reach three quarters of those in the best twelve months.
-- Quarters are forecast, newest first, until their flights reach two fifths of those in the best twelve months. The
-- quarter of the oldest month is never forecast, because nothing is known before it.
--   quarter: first day of the quarter that contains the month
--   is_forecast: whether the month is also used as a forecast
create or replace table intermediate.int_training_months as
with
by_basis as (
    select
        delay_basis,
        month,
        sum(completed_count)::bigint as flight_count
    from raw.route_hours
    where completed_count > 0
    group by all
),

usual_basis as (
    select delay_basis
    from by_basis
    group by all
    order by sum(flight_count) desc, delay_basis
    limit 1
),

months as (
    select
        delay_basis,
        month,
        flight_count,
        date_diff('month', month, max(month) over ()) as age,
        min(month) over () as first_month,
        coalesce(sum(flight_count) over newer, 0) as newer_count,
        sum(flight_count) over year_until as year_count
    from by_basis
    inner join usual_basis using (delay_basis)
    window
        newer as (order by month desc rows between unbounded preceding and 1 preceding),
        year_until as (order by month range between interval 11 months preceding and current row)
),

candidates as (
    select
        delay_basis,
        month,
        flight_count,
        age,
        first_month,
        max(year_count) over () as best_count,
        (month - to_months(2 - age % 3))::date as quarter
    from months
    qualify age < 12 or newer_count < 0.75 * best_count
),

quarters as (
    select
        quarter,
        any_value(age) < 12 as is_new,
        any_value(best_count) as best_count,
        sum(flight_count) as flight_count
    from candidates
    where quarter > first_month
    group by all
),

forecast as (
    select quarter
    from quarters
    window newer as (order by quarter desc rows between unbounded preceding and 1 preceding)
    qualify is_new or coalesce(sum(flight_count) over newer, 0) < 0.4 * best_count
),

training_months as (
    select
        month,
        delay_basis,
        quarter,
        quarter in (select quarter from forecast) as is_forecast
    from candidates
    order by month
)

select * from training_months
