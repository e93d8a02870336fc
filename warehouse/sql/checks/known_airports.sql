-- warn: an airport with flights is missing from the reference data; its flights cannot be requested
select code as iata
from marts.group_rates
left join reference.airports as airports on airports.iata = group_rates.code
where
    group_rates.kind in ('origin', 'dest')
    and airports.iata is null
group by all
