-- One row per frozen forecast of a flight: the forecast, and the values behind it. Forecasts are written once a night
-- and never change; make verify checks the chain of hashes of the nights.
--   night: UTC date on which the forecast was frozen
--   frozen_at: time of the freeze, UTC
--   horizon_days: days from the night to flight_date: 1, 7, 30 or 90
--   provider: provider of the flight record: bts, hkia and others
--   traffic: busy, medium or thin: the third of the provider's airline-routes by number of flights
--   tier: exact, route_any_airline or no_data, as in data_source of the API
--   score: score from 0 to 100, before rounding
--   label: band of the score
--   confidence: confidence in the record, 0 to 1
--   late_probability: P(more than 30 minutes late); null without a model
--   disrupted_probability: P(more than 30 minutes late or cancelled); null without a model
--   dep_weather_basis, arr_weather_basis: forecast, climatology or none
--   dep_weather_at, arr_weather_at: time of the fetch of the weather forecast, UTC; null without a forecast
--   dep_weather_risk, arr_weather_risk: weather risk, 0 to 1
--   dep_temp_c, arr_temp_c: mean temperature of the day, °C
--   dep_wind_max_kmh, arr_wind_max_kmh: strongest wind of the day, km/h
--   dep_precip_max_mm, arr_precip_max_mm: greatest rain or melted snow in one hour, mm
--   event_log_odds: log-odds that news and airport status add; null without an event
--   event_cause: the worst event in words; null without an event
--   store_version: version of the score store
--   model_version: version of the model; null without a model
create or replace view main.forecasts as
with
file_rows as (
    select * from $frozen
    union all by name
    select
        null::date as night,
        null::timestamp as frozen_at,
        null::integer as horizon_days,
        null::varchar as provider,
        null::varchar as carrier,
        null::varchar as origin,
        null::varchar as dest,
        null::integer as crs_dep_hour,
        null::date as flight_date,
        null::varchar as traffic,
        null::varchar as tier,
        null::double as score,
        null::varchar as label,
        null::double as confidence,
        null::double as late_probability,
        null::double as disrupted_probability,
        null::varchar as dep_weather_basis,
        null::timestamp as dep_weather_at,
        null::double as dep_weather_risk,
        null::double as dep_temp_c,
        null::double as dep_wind_max_kmh,
        null::double as dep_precip_max_mm,
        null::varchar as arr_weather_basis,
        null::timestamp as arr_weather_at,
        null::double as arr_weather_risk,
        null::double as arr_temp_c,
        null::double as arr_wind_max_kmh,
        null::double as arr_precip_max_mm,
        null::double as event_log_odds,
        null::varchar as event_cause,
        null::varchar as store_version,
        null::varchar as model_version
    where false
)

select
    night,
    frozen_at,
    horizon_days,
    provider,
    carrier,
    origin,
    dest,
    crs_dep_hour,
    flight_date,
    traffic,
    tier,
    score,
    label,
    confidence,
    late_probability,
    disrupted_probability,
    dep_weather_basis,
    dep_weather_at,
    dep_weather_risk,
    dep_temp_c,
    dep_wind_max_kmh,
    dep_precip_max_mm,
    arr_weather_basis,
    arr_weather_at,
    arr_weather_risk,
    arr_temp_c,
    arr_wind_max_kmh,
    arr_precip_max_mm,
    event_log_odds,
    event_cause,
    store_version,
    model_version
from file_rows
