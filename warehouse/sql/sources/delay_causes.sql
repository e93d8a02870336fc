-- One row per month, carrier and airport of arrival: BTS's "Airline On-Time Statistics and Delay Causes".
create or replace temp view delay_causes as
select
    year,
    month,
    carrier,
    airport,

    -- flights
    arr_flights,
    arr_del15,
    arr_cancelled,
    arr_diverted,

    -- late flights by cause, in fractions
    carrier_ct,
    weather_ct,
    nas_ct,
    security_ct,
    late_aircraft_ct,

    -- their minutes
    arr_delay,
    carrier_delay,
    weather_delay,
    nas_delay,
    security_delay,
    late_aircraft_delay
from source
