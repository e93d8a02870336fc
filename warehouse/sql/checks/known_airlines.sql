-- no source has the name of a carrier with flights; answers show its code instead
--   error: never: a missing name changes no score
--   warn: any row: a person can add the name
select code as iata
from marts.group_rates
left join reference.airlines as airlines on airlines.iata = group_rates.code
where
    group_rates.kind = 'carrier'
    and (airlines.iata is null or airlines.name = airlines.iata)
