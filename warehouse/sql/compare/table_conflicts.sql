-- One row per staged month of flights for which the lake has BTS's delay-cause table. The two are compared by airline
-- and airport of arrival. The table has all flights, so a file cannot have more. Flights that exceed the table have a
-- wrong date, are repeated, or never took place. Airlines that the table does not have are left out, because not every
-- airline reports to BTS itself.
--   compared: flights of the airlines in the table
--   beyond: flights that exceed the table, including all flights in unknown
--   unknown: flights of airlines at airports where the table has no flights of the airline
--   pairs: the pairs of airline and airport (at most five) whose flights exceed the table most
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
