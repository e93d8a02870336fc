-- One row per airport, with its size class and the movements in its busiest hour. How delays grow with the load is
-- estimated for each class. There are only three classes, because each class needs enough flights for this estimate.
--   peak_movements: scheduled movements in the airport's busiest hour
--   size_class: small, medium or large
create or replace table intermediate.int_airport_peaks as
with
peaks as (
    select
        airport,
        max(daily_movements) as peak_movements
    from intermediate.int_airport_hour_traffic
    group by all
),

classed as (
    select
        airport,
        peak_movements,
        case
            when peak_movements < 4 then 'small'
            when peak_movements < 16 then 'medium'
            else 'large'
        end as size_class
    from peaks
    order by airport
)

select * from classed
