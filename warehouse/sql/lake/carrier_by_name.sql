-- One variable: the IATA code of each reporting carrier under the name BTS gives it.
set variable carrier_by_name = (
    select map(list(carrier.bts_name), list(carrier.iata))
    from (
        select unnest(carriers) as carrier
        from read_json($file)
    ) as named
)
