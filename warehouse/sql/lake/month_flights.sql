-- One row per flight of the month, in the order of the source.
select * exclude (month, reject)
from checked_flights
where
    month = $month::date
    and reject is null
order by rowid
