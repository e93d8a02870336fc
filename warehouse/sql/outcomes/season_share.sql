-- One row: the share of completed flights that depart in the United States; null without flights.
with
flights as (
    select
        coalesce(airports.country_code = 'US', false) as is_american,
        sum(counts.late15_from + counts.late60_from)::double as flight_count
    from outcome_month_counts as counts
    inner join outcome_routes as routes using (route)
    left join reference.airports as airports on airports.iata = routes.origin
    group by all
)

select sum(flight_count) filter (where is_american) / nullif(sum(flight_count), 0) as share
from flights
