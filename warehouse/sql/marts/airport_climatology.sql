-- One row per airport and month of the year, with typical weather and the mean risk of the days in that month. `risk`
-- is the mean of daily risks, not the risk of the mean weather, because a mean day has no storm. Observations take
-- precedence over the archive. The archive has no visibility. If a hazard has no reading, its risk is that of a typical
-- day, as in models/weather-risk.ts.
--   risk: mean risk of the days in that month, 0 to 1; see models/weather-risk.ts
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

-- `greatest` and `least` ignore nulls, so an unknown share is first replaced by the share on a typical day.
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

-- If most days of a month have no reading, the mean is null: the few days with a reading may be the wet days.
months as (
    select
        airport,
        month(weather_date) as month_of_year,
        count(*) as day_count,
        case when 2 * count(temp_mean_c) >= count(*) then round(avg(temp_mean_c::decimal(18, 4)), 1) end as temp_mean_c,
        case when 2 * count(wind_max_kmh) >= count(*) then round(avg(wind_max_kmh::decimal(18, 4)), 1) end as wind_max_kmh,
        case when 2 * count(precip_max_mm) >= count(*) then round(avg(precip_max_mm::decimal(18, 4)), 2) end as precip_max_mm,
        case when 2 * count(snowfall_cm) >= count(*) then round(avg(snowfall_cm::decimal(18, 4)), 2) end as snowfall_cm,
        case when 2 * count(visibility_min_m) >= count(*) then round(avg(visibility_min_m::decimal(18, 4)), 0) end as visibility_min_m,
        round(avg(risk::decimal(18, 9)), 6) as risk
    from days
    inner join risks using (airport, weather_date)
    group by all
    order by airport, month_of_year
)

select * from months
