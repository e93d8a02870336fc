-- One row per source and loaded lake month of weather; any change causes a rebuild of the marts.
create table raw.weather_months (
    source varchar not null,
    month date not null,
    file_sha256 varchar not null,
    primary key (source, month)
);

-- One row per source, airport and local day; unknown values are null.
create table raw.airport_weather_days (
    source varchar not null,
    airport varchar not null,
    weather_date date not null,
    temp_mean_c double,
    wind_max_kmh double,
    gust_max_kmh double,
    precip_max_mm double,
    snowfall_cm double,
    visibility_min_m double,
    weather_code integer
);

-- One row per hazard of models/weather-risk.json. full_risk is the risk at full effect; typical is the share of the
-- full effect on a typical day.
create table reference.weather_hazards (
    hazard varchar primary key,
    reading varchar not null,
    from_value double not null,
    to_value double not null,
    full_risk double not null,
    typical double not null
);
