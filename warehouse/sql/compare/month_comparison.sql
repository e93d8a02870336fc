-- One row: the current version of the month `$month` compared with the staged version. Without a current version the
-- counts of `current` are 0.
--
-- A group is an airline at an airport of departure on a day. If one of the versions has no days, a group is an airline
-- at an airport in the month. A group loses flights if the staged version has fewer. Flights that other groups gain are
-- not subtracted.
with
current_cells as materialized (
    select
        carrier,
        origin as airport,
        sum(flights)::bigint as flights,
        sum(timed)::bigint as timed,
        sum(arrivals)::bigint as arrivals,
        sum(branded)::bigint as branded
    from current_routes
    where month = $month::date
    group by all
),

staged_cells as materialized (
    select
        carrier,
        origin as airport,
        sum(flights)::bigint as flights,
        sum(timed)::bigint as timed,
        sum(arrivals)::bigint as arrivals,
        sum(branded)::bigint as branded
    from staged_routes
    where month = $month::date
    group by all
),

current_dates as materialized (
    select * from current_days
    where month = $month::date
),

staged_dates as materialized (
    select * from staged_days
    where month = $month::date
),

grain as (
    select
        (select count(*) from current_dates where carrier is not null) > 0
        and (select count(*) from staged_dates) > 0 as has_days
),

groups as (
    select
        carrier,
        airport,
        coalesce(current_dates.flights, 0) as before,
        coalesce(staged_dates.flights, 0) as after
    from current_dates
    full join staged_dates using (carrier, airport, flight_date)
    where (select has_days from grain)
    union all
    select
        carrier,
        airport,
        coalesce(current_cells.flights, 0) as before,
        coalesce(staged_cells.flights, 0) as after
    from current_cells
    full join staged_cells using (carrier, airport)
    where not (select has_days from grain)
),

changes as materialized (
    select
        carrier as airline,
        airport,
        sum(before)::bigint as before,
        sum(after)::bigint as after,
        sum(greatest(before - after, 0))::bigint as lost,
        sum(greatest(after - before, 0))::bigint as gained
    from groups
    group by all
),

lost_airlines as (
    select
        carrier as airline,
        sum(flights)::bigint as flights
    from current_cells
    anti join staged_cells using (carrier)
    group by all
),

sides as (
    select
        'current' as side,
        coalesce(sum(flights), 0)::bigint as flights,
        count(distinct airport) as airports,
        count(distinct carrier) as airlines,
        coalesce(sum(timed) / nullif(sum(flights), 0), 0) as timed,
        coalesce(sum(arrivals) / nullif(sum(flights), 0), 0) as arrivals,
        coalesce(sum(branded) / nullif(sum(flights), 0), 0) as branded,
        (select count(distinct flight_date) from current_dates) as days
    from current_cells
    union all
    select
        'staged' as side,
        coalesce(sum(flights), 0)::bigint as flights,
        count(distinct airport) as airports,
        count(distinct carrier) as airlines,
        coalesce(sum(timed) / nullif(sum(flights), 0), 0) as timed,
        coalesce(sum(arrivals) / nullif(sum(flights), 0), 0) as arrivals,
        coalesce(sum(branded) / nullif(sum(flights), 0), 0) as branded,
        (select count(distinct flight_date) from staged_dates) as days
    from staged_cells
),

comparison as (
    select
        (select sides from sides where side = 'current') as current,
        (select sides from sides where side = 'staged') as staged,
        {
            'days': case
                when (select count(*) from staged_dates) = 0 then 0
                else (
                    select coalesce(sum(flights), 0)::bigint
                    from current_dates
                    anti join staged_dates using (flight_date)
                )
            end,
            'airports': (
                select coalesce(sum(flights), 0)::bigint
                from current_cells
                anti join staged_cells using (airport)
            ),
            'airlines': (select coalesce(sum(flights), 0)::bigint from lost_airlines)
        } as uncovered,
        (
            select coalesce(list({'airline': airline, 'flights': flights} order by flights desc, airline), [])
            from lost_airlines
        ) as "lostAirlines",
        {
            'byDay': (select has_days from grain),
            'flights': (select coalesce(sum(lost), 0)::bigint from changes),
            'gained': (select coalesce(sum(gained), 0)::bigint from changes),
            'groups': (
                select
                    coalesce(
                        list(
                            {'airline': airline, 'airport': airport, 'before': before, 'after': after, 'lost': lost}
                            order by lost desc, airline, airport
                        ),
                        []
                    )
                from (
                    from changes
                    where lost > 0
                    order by lost desc, airline, airport
                    limit 10
                )
            ),
            'halved': (
                select count(*)
                from changes
                where before >= $leastGroup and lost > before / 2
            )
        } as losses
)

select * from comparison
