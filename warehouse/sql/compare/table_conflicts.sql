-- One row per staged month of flights that BTS's delay-cause table has too, compared by airline and airport of arrival.
-- A file with a part of the month has fewer flights than the table, but it cannot have more. Flights beyond the table
-- therefore have a wrong date, are repeated, or never took place. Airlines that the table does not have are left out:
-- some airlines do not report to BTS by themselves.
--   compared: flights of the airlines in the table
--   beyond: flights beyond the table, also where the table has none
--   unknown: flights of airlines at airports where the table has none
--   pairs: the airlines at airports with most flights beyond the table
with
arrivals as (
    select
        month,
        carrier,
        dest as airport,
        sum(flights) as flights
    from staged_routes
    group by all
),

table_airlines as (
    select distinct
        month,
        carrier
    from level_cells
),

pairs as (
    select
        arrivals.month,
        arrivals.carrier,
        arrivals.airport,
        arrivals.flights as flights,
        coalesce(level_cells.flights, 0) as table_flights,
        greatest(arrivals.flights - coalesce(level_cells.flights, 0), 0) as beyond
    from arrivals
    inner join table_airlines using (month, carrier)
    left join level_cells using (month, carrier, airport)
),

conflicts as (
    select
        strftime(month, '%Y-%m') as month,
        sum(flights)::bigint as compared,
        sum(beyond)::bigint as beyond,
        coalesce(sum(flights) filter (where table_flights = 0), 0)::bigint as unknown,
        list_slice(
            list(
                {
                    'airline': carrier,
                    'airport': airport,
                    'flights': flights::bigint,
                    'table': table_flights::bigint
                }
                order by beyond desc, carrier, airport
            ) filter (where beyond > 0),
            1,
            5
        ) as pairs
    from pairs
    group by month
)

select * from conflicts
