-- One row per flight_date and airport of origin.
with
by_airport_day as (
    select
        flight_date,
        origin as airport,
        count(*)::integer as flight_count,
        count(*) filter (where is_cancelled)::integer as cancelled_count,
        count(completed_delay_min)::integer as completed_count,
        count(*) filter (where is_delayed)::integer as delayed_count
    from flight_outcomes
    where
        month = $month::date
        and flight_date is not null
    group by all
)

select * from by_airport_day
order by flight_date, airport
