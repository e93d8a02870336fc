-- One row per carrier and airport of arrival of the month that had flights there.
select
    month,
    carrier,
    airport,
    arr_flights::integer as arr_flights,
    arr_del15::integer as arr_del15,
    arr_cancelled::integer as arr_cancelled,
    arr_diverted::integer as arr_diverted,
    carrier_ct,
    weather_ct,
    nas_ct,
    security_ct,
    late_aircraft_ct,
    arr_delay,
    carrier_delay,
    weather_delay,
    nas_delay,
    security_delay,
    late_aircraft_delay
from checked_delay_causes
where
    month = $month::date
    and reject is null
    and not is_empty
order by carrier, airport
