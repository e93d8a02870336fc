-- Sets one variable, which maps the BTS name of each reporting carrier to its IATA code.
set variable carrier_by_name = (
    select map(list(carrier.bts_name), list(carrier.iata))
    from (
        select unnest(carriers) as carrier
        from read_json($file)
    ) as named
)
