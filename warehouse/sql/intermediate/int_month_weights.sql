-- One row per loaded month: what its flights weigh in the rates behind the score; 1 for the newest month.
-- A flight weighs half after half_life months. Why 24: docs/features.md, from `npm run constants -- half-life`.
-- A decimal, so that sums are exact in whatever order they are taken.
--   weight: 1 for the newest month
create or replace table intermediate.int_month_weights as
with
months as (
    select
        month,
        max(month) over () as last_month
    from raw.lake_months
),

settings as (
    select 24 as half_life
),

weighted as (
    select
        months.month,
        power(
            0.5, date_diff('month', months.month, months.last_month) / settings.half_life
        )::decimal(7, 6) as weight
    from months
    cross join settings
    order by months.month
)

select * from weighted
