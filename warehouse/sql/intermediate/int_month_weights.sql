-- One row per loaded month, with the weight of the month's flights in the rates behind the score. The newest month has
-- weight 1. The weight halves every half_life months. The age of a whole year is counted from its middle.
-- docs/features.md has the reason for a half-life of 24 months; `npm run constants -- half-life` compares half-lives.
-- The weight is a decimal, because sums of decimals do not depend on the order of the rows.
--   weight: 1 for the newest month
create or replace table intermediate.int_month_weights as
with
months as (
    select
        month,
        middle_of(month) as middle,
        max(middle_of(month)) over () as last_month
    from raw.lake_months
),

settings as (
    select 24 as half_life
),

weighted as (
    select
        months.month,
        power(
            0.5, date_diff('month', months.middle, months.last_month) / settings.half_life
        )::decimal(7, 6) as weight
    from months
    cross join settings
    order by months.month
)

select * from weighted
