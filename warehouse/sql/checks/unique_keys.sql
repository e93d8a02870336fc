-- a mart has several rows for one key
--   error: any row: the API would answer with any one of the rows
--   warn: never: every such row is an error
with
keys as (
    select
        'months' as mart,
        month::varchar as mart_key
    from marts.months
    union all
    select
        'network' as mart,
        'history' as mart_key
    from marts.network
    union all
    select
        'group_rates' as mart,
        concat_ws(' ', kind, code) as mart_key
    from marts.group_rates
    union all
    select
        'route_otp' as mart,
        concat_ws(' ', origin, dest) as mart_key
    from marts.route_otp
    union all
    select
        'route_carrier_otp' as mart,
        concat_ws(' ', origin, dest, carrier) as mart_key
    from marts.route_carrier_otp
    union all
    select
        'route_records' as mart,
        concat_ws(' ', origin, dest, carrier) as mart_key
    from marts.route_records
    union all
    select
        'route_carrier_hours' as mart,
        concat_ws(' ', origin, dest, carrier, local_hour) as mart_key
    from marts.route_carrier_hours
    union all
    select
        'delay_effects' as mart,
        concat_ws(' ', kind, key) as mart_key
    from marts.delay_effects
    union all
    select
        'airport_climatology' as mart,
        concat_ws(' ', airport, month_of_year) as mart_key
    from marts.airport_climatology
    union all
    select
        'airport_hour_congestion' as mart,
        concat_ws(' ', airport, month_of_year, weekday, local_hour) as mart_key
    from marts.airport_hour_congestion
    union all
    select
        'airport_day_congestion' as mart,
        concat_ws(' ', airport, month_of_year, weekday) as mart_key
    from marts.airport_day_congestion
    union all
    select
        'record_cells' as mart,
        concat_ws(' ', kind, code, slot) as mart_key
    from marts.record_cells
    union all
    select
        'comparisons' as mart,
        concat_ws(' ', kind, key) as mart_key
    from marts.comparisons
    union all
    select
        'recent_months' as mart,
        concat_ws(' ', kind, code, month) as mart_key
    from marts.recent_months
    union all
    select
        'outcome_effects' as mart,
        concat_ws(' ', step, kind, key) as mart_key
    from marts.outcome_effects
    union all
    select
        'season_odds' as mart,
        concat_ws(' ', kind, level) as mart_key
    from marts.season_odds
    union all
    select
        'holiday_effects' as mart,
        concat_ws(' ', country_code, holiday, days) as mart_key
    from marts.holiday_effects
    union all
    select
        'holiday_days' as mart,
        concat_ws(' ', country_code, flight_date) as mart_key
    from marts.holiday_days
    union all
    select
        'brand_shares' as mart,
        concat_ws(' ', carrier, origin, dest, year, brand) as mart_key
    from marts.brand_shares
    union all
    select
        'brand_operators' as mart,
        concat_ws(' ', origin, dest, brand, carrier) as mart_key
    from marts.brand_operators
    union all
    select
        'brand_operator_hours' as mart,
        concat_ws(' ', origin, dest, brand, carrier, local_hour) as mart_key
    from marts.brand_operator_hours
    union all
    select
        'flight_numbers' as mart,
        concat_ws(' ', brand, flight_number, origin, dest) as mart_key
    from marts.flight_numbers
    union all
    select
        'delay_level' as mart,
        'the only row' as mart_key
    from marts.delay_level
)

select
    mart,
    mart_key,
    count(*) as row_count
from keys
group by all
having row_count > 1
