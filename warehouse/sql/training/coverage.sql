-- One row about the flights from which a model learns: their first and last month, and the numbers of flights,
-- airports, carriers and routes.
with
flights as (
    select route_hours.*
    from raw.route_hours
    inner join intermediate.int_training_months using (month, delay_basis)
    where completed_count > 0
),

ends as (
    select origin as airport from flights
    union
    select dest as airport from flights
),

coverage as (
    select
        strftime(min(month), '%Y-%m') as first_month,
        strftime(max(month), '%Y-%m') as last_month,
        coalesce(sum(completed_count), 0)::bigint as flight_count,
        (select count(*) from ends) as airport_count,
        count(distinct carrier) as carrier_count,
        count(distinct origin || dest) as route_count
    from flights
)

select * from coverage
