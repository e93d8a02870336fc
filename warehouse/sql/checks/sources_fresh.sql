-- warn: the newest month of a source is too old; BTS publishes two to three months late, the weather archive within
-- days
--   flights_months = 5: greatest age of the newest month of flights, in calendar months
--   levels_months = 5: greatest age of the newest month of the delay-cause table, where one is loaded
--   weather_months = 3: greatest age of the newest month of the weather archive, where one is loaded
with
sources as (
    select
        'flights' as source,
        max(month) as last_month,
        $flights_months as most_months
    from raw.lake_months
    union all
    select
        'delay-cause table' as source,
        max(month) as last_month,
        $levels_months as most_months
    from raw.delay_cause_months
    union all
    select
        'weather archive' as source,
        max(month) as last_month,
        $weather_months as most_months
    from raw.weather_months
    where source = 'archive'
)

select
    source,
    last_month,
    date_diff('month', last_month, coalesce(getvariable('today')::date, current_date)) as months_back
from sources
where date_diff('month', last_month, coalesce(getvariable('today')::date, current_date)) > most_months
