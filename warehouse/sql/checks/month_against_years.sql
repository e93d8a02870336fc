-- one of the newest 24 months differs greatly from the same month of an earlier year, in flights, late flights or
-- cancellations; the earlier year is the nearest year with the same delay basis; only airline-routes flown in both
-- months are compared
--   error: never: crises are real; in March 2020 the share of cancellations was nine times the share in March 2019
--   warn: any row: most months of ordinary years differ by less
--   least_flights = 10000: least flights for a comparison, on airline-routes flown in both months
--   volume = 2: greatest ratio of flights, or its inverse
--   late = 2.5: greatest ratio of the odds of being more than 30 minutes late, or its inverse
--   cancelled = 6: greatest ratio of the odds of being cancelled, or its inverse
with
months as (
    select
        month,
        delay_basis
    from raw.route_hours
    where not is_year(month)
    group by all
),

pairs as (
    select
        months.month,
        months.delay_basis,
        max(others.month) as other_month
    from months
    inner join months as others
        on others.delay_basis = months.delay_basis
        and month(others.month) = month(months.month)
        and others.month < months.month
    where months.month > (select max(month) from months) - interval 24 months
    group by all
),

counts as (
    select
        month,
        delay_basis,
        carrier,
        origin,
        dest,
        sum(flight_count) as flight_count,
        sum(cancelled_count) as cancelled_count,
        sum(completed_count) as completed_count,
        sum(delayed_count) as delayed_count
    from raw.route_hours
    where month in (select month from pairs union all select other_month from pairs)
    group by all
),

shared as (
    select
        pairs.month,
        pairs.other_month,
        sum(own.flight_count) as flight_count,
        sum(others.flight_count) as other_count,
        odds((sum(own.delayed_count) + 0.5) / (sum(own.completed_count) + 1)) as late_odds,
        odds((sum(others.delayed_count) + 0.5) / (sum(others.completed_count) + 1)) as other_late_odds,
        odds((sum(own.cancelled_count) + 0.5) / (sum(own.flight_count) + 1)) as cancelled_odds,
        odds((sum(others.cancelled_count) + 0.5) / (sum(others.flight_count) + 1)) as other_cancelled_odds
    from pairs
    inner join counts as own on own.month = pairs.month and own.delay_basis = pairs.delay_basis
    inner join counts as others
        on others.month = pairs.other_month
        and others.delay_basis = pairs.delay_basis
        and others.carrier = own.carrier
        and others.origin = own.origin
        and others.dest = own.dest
    group by all
    having sum(own.flight_count) >= $least_flights
),

ratios as (
    select
        month,
        other_month,
        unnest([
            {'measure': 'volume', 'ratio': flight_count / other_count, 'most': $volume},
            {'measure': 'late', 'ratio': late_odds / other_late_odds, 'most': $late},
            {'measure': 'cancelled', 'ratio': cancelled_odds / other_cancelled_odds, 'most': $cancelled}
        ]) as compared
    from shared
)

select
    month,
    other_month,
    compared.measure as measure,
    round(compared.ratio, 2) as ratio
from ratios
where compared.ratio not between 1 / compared.most and compared.most
