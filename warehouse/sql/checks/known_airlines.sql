-- warn: a carrier with flights that the reference data does not know; it cannot be asked for
select code as iata
from marts.group_rates
left join reference.airlines as airlines on airlines.iata = group_rates.code
where
    group_rates.kind = 'carrier'
    and airlines.iata is null
