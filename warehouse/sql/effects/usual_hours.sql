-- Flights whose hour is unknown are expected to leave when their airline does at the airport, as far as it has few flights with
-- hours there when others do: what those hours make of a flight joins what is expected of them, so that no route is blamed for
-- evenings nobody wrote down. What it makes of them on average stays out: the level of their months has it already.
create or replace temp table effect_cells as
with
usual as (
    select
        as_of,
        carrier,
        origin,
        sum(flight_count) as flight_count,
        sum((flight_count::double * by_hour)::decimal(28, 9)) as by_hour_sum
    from effect_cells
    where local_hour is not null
    group by all
),

of_airports as (
    select
        as_of,
        origin,
        sum(by_hour_sum)::double / sum(flight_count)::double as by_hour
    from usual
    group by all
),

unknown as (
    select
        as_of,
        carrier,
        origin,
        sum(flight_count) as flight_count
    from effect_cells
    where local_hour is null
    group by all
),

expected as (
    select
        unknown.as_of,
        unknown.carrier,
        unknown.origin,
        unknown.flight_count,
        -- The airport's own mean weighs as a hundred flights.
        shrink(
            coalesce(usual.by_hour_sum, 0)::double, coalesce(usual.flight_count, 0)::double, of_airports.by_hour, 100
        ) as by_hour
    from unknown
    inner join of_airports using (as_of, origin)
    left join usual using (as_of, carrier, origin)
),

averages as (
    select
        as_of,
        sum((flight_count::double * by_hour)::decimal(28, 9))::double / sum(flight_count)::double as by_hour
    from expected
    group by all
)

select
    cells.* replace (
        case
            when cells.local_hour is null and expected.by_hour is not null
                then round(cells.log_odds + expected.by_hour - averages.by_hour, 9)
            else cells.log_odds
        end as log_odds
    )
from effect_cells as cells
left join expected using (as_of, carrier, origin)
left join averages using (as_of)
