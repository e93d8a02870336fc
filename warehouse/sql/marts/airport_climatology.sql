-- One row per airport and month of the year: what the weather is usually like, and the mean risk of its days.
-- The mean of the risks, not the risk of the means: a mean day has no storm. Observations count before the archive, which
-- knows no visibility. A hazard without a reading counts as on a typical day, as it does in models/weather-risk.ts.
create or replace table marts.airport_climatology as
with
days as (
    select
        airport,
        weather_date,
        temp_mean_c,
        wind_max_kmh,
        precip_max_mm,
        snowfall_cm,
        visibility_min_m
    from raw.airport_weather_days
    qualify row_number() over (partition by airport, weather_date order by source = 'archive', source) = 1
),

hazards as (
    select
        airport,
        weather_date,
        full_risk,
        typical,
        (
            case reading
                when 'windMaxKmh' then wind_max_kmh
                when 'precipMaxMm' then precip_max_mm
                when 'snowfallCm' then snowfall_cm
                when 'visibilityMinM' then visibility_min_m
            end - from_value
        ) / (to_value - from_value) as share
    from days
    cross join reference.weather_hazards
),

-- greatest and least pass over nulls, so unknown shares are told apart first.
known_hazards as (
    select
        airport,
        weather_date,
        full_risk,
        case when share is null then typical else least(1, greatest(0, share)) end as known_share
    from hazards
),

risks as (
    select
        airport,
        weather_date,
        least(1, sum((full_risk * known_share)::decimal(18, 9)))::double as risk
    from known_hazards
    group by all
),

months as (
    select
        airport,
        month(weather_date) as month_of_year,
        count(*) as day_count,
        round(avg(temp_mean_c::decimal(18, 4)), 1) as temp_mean_c,
        round(avg(wind_max_kmh::decimal(18, 4)), 1) as wind_max_kmh,
        round(avg(precip_max_mm::decimal(18, 4)), 2) as precip_max_mm,
        round(avg(snowfall_cm::decimal(18, 4)), 2) as snowfall_cm,
        round(avg(visibility_min_m::decimal(18, 4)), 0) as visibility_min_m,
        round(avg(risk::decimal(18, 9)), 6) as risk
    from days
    inner join risks using (airport, weather_date)
    group by all
    order by airport, month_of_year
)

select * from months
