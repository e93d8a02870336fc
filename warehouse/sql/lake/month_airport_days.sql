-- One row per flight_date and airport of origin.
copy (
    with
    flights as (
        select
            *,
            case when getvariable('delay_basis') = 'arrival' then arr_delay_min else dep_delay_min end as delay_min
        from checked_flights
        where
            month = $month::date
            and reject is null
    ),

    outcomes as (
        select
            flight_date,
            origin as airport,
            is_cancelled,
            case when not is_cancelled and not coalesce(is_diverted, false) then delay_min end as completed_delay_min
        from flights
    ),

    by_airport_day as (
        select
            flight_date,
            airport,
            count(*)::integer as flight_count,
            count(*) filter (where is_cancelled)::integer as cancelled_count,
            count(completed_delay_min)::integer as completed_count,
            count(*) filter (where completed_delay_min > 30)::integer as delayed_count
        from outcomes
        group by all
    )

    select * from by_airport_day
    order by flight_date, airport
) to $file (format parquet, compression zstd)
