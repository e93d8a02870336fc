-- One row per kind, key and month, with counts of the key's flights and of similar other flights. The months are those
-- from which the model learns. Flights are compared in the same month and the same two hours of departure. A month and
-- hour with flights on only one side is left out.
-- Flights of a carrier (DL), origin_carrier (JFKDL) or route_carrier (JFKLAXDL) are compared with other airlines on the
-- same route. A carrier has the flights that it operates. A brand, origin_brand or route_brand has the flights that the
-- brand sells; they are compared in the same way. Flights of a route (JFKLAX) or dest (LAX) are compared with the same
-- airline's flights from the same airport to other destinations. Flights of an origin (JFK) are compared with the same
-- airline's flights from other airports to the same destination.
--   kind: kind of comparison
--   key: codes of airline and airports
--   n, late: flights of the key, and late flights among them
--   other_n: flights on the other side of the comparison
--   own, others: the two sides of the Mantel-Haenszel ratio of late shares
--   noise: variance of the ratio, computed from the counts (Greenland and Robins), before division by own * others
create or replace table intermediate.int_comparison_months as
with
flights as (
    select
        hours.month,
        hours.origin,
        hours.dest,
        hours.carrier,
        hours.crs_dep_hour // 2 as two_hours,
        sum(hours.completed_count)::double as n,
        sum(hours.delayed_count)::double as late
    from raw.route_hours as hours
    inner join intermediate.int_training_months as training_months
        on training_months.month = hours.month and training_months.delay_basis = hours.delay_basis
    where hours.crs_dep_hour is not null and hours.completed_count > 0
    group by all
),

route_totals as (
    select
        month,
        origin,
        dest,
        two_hours,
        sum(n) as all_n,
        sum(late) as all_late
    from flights
    group by all
),

brand_flights as (
    select
        hours.month,
        hours.origin,
        hours.dest,
        hours.brand,
        hours.crs_dep_hour // 2 as two_hours,
        sum(hours.completed_count)::double as n,
        sum(hours.delayed_count)::double as late
    from intermediate.int_brand_months as hours
    inner join intermediate.int_training_months as training_months
        on training_months.month = hours.month and training_months.delay_basis = hours.delay_basis
    where hours.crs_dep_hour is not null and hours.completed_count > 0
    group by all
),

from_totals as (
    select
        month,
        origin,
        carrier,
        two_hours,
        sum(n) as all_n,
        sum(late) as all_late
    from flights
    group by all
    having count(*) > 1
),

to_totals as (
    select
        month,
        dest,
        carrier,
        two_hours,
        sum(n) as all_n,
        sum(late) as all_late
    from flights
    group by all
    having count(*) > 1
),

strata as (
    select
        'airlines' as others,
        month,
        origin,
        dest,
        carrier,
        n,
        late,
        all_n,
        all_late
    from flights
    inner join route_totals using (month, origin, dest, two_hours)
    where all_n > n
    union all
    -- If a source names only the operator, a brand's flights are estimated, because one operator may fly for several
    -- brands. Rounding can then put the brand's late flights above all late flights of the route.
    select
        'brands' as others,
        month,
        origin,
        dest,
        brand as carrier,
        n,
        late,
        all_n,
        greatest(late, all_late) as all_late
    from brand_flights
    inner join route_totals using (month, origin, dest, two_hours)
    where all_n - n > 0.5
    union all
    select
        'dests' as others,
        month,
        origin,
        dest,
        '' as carrier,
        n,
        late,
        all_n,
        all_late
    from flights
    inner join from_totals using (month, origin, carrier, two_hours)
    union all
    select
        'origins' as others,
        month,
        origin,
        '' as dest,
        '' as carrier,
        n,
        late,
        all_n,
        all_late
    from flights
    inner join to_totals using (month, dest, carrier, two_hours)
),

-- The ratio and its variance are computed from sums over these columns. Sums of decimals do not depend on the order of
-- the rows.
parts as (
    select
        others as against,
        month,
        origin,
        dest,
        carrier,
        sum(n::decimal(18, 6)) as n,
        sum(late::decimal(18, 6)) as late,
        sum((all_n - n)::decimal(18, 6)) as other_n,
        sum((late * (all_n - n) / all_n)::decimal(18, 6)) as own,
        sum(((all_late - late) * n / all_n)::decimal(18, 6)) as others,
        sum((
            (n * (all_n - n) * all_late - late * (all_late - late) * all_n) / (all_n * all_n)
        )::decimal(18, 6)) as noise
    from strata
    group by all
),

by_kind as (
    select
        *,
        case against
            when 'airlines' then [('carrier', carrier), ('origin_carrier', origin || carrier), ('route_carrier', origin || dest || carrier)]
            when 'brands' then [('brand', carrier), ('origin_brand', origin || carrier), ('route_brand', origin || dest || carrier)]
            when 'dests' then [('route', origin || dest), ('dest', dest)]
            else [('origin', origin)]
        end as keys
    from parts
),

by_month as (
    select
        month,
        unnest(keys) as key,
        n,
        late,
        other_n,
        own,
        others,
        noise
    from by_kind
),

comparison_months as (
    select
        key[1] as kind,
        key[2] as key,
        month,
        sum(n) as n,
        sum(late) as late,
        sum(other_n) as other_n,
        sum(own)::double as own,
        sum(others)::double as others,
        sum(noise)::double as noise
    from by_month
    group by all
)

select * from comparison_months
