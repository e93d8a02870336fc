-- One row per carrier and airport of arrival with flights in the month.
select
    * exclude (is_empty, reject) replace (
        arr_flights::integer as arr_flights,
        arr_del15::integer as arr_del15,
        arr_cancelled::integer as arr_cancelled,
        arr_diverted::integer as arr_diverted
    )
from checked_delay_causes
where
    month = $month::date
    and reject is null
    and not is_empty
order by carrier, airport
