-- One row per as-of day, airline-route, scheduled local departure hour and half-year, with the number of completed
-- flights before the as-of day, and how many of them were delayed. Recent flights have more weight. Effects are
-- estimated only from data that was known on the as-of day.
-- `log_odds` is the expected delay, as log-odds. It follows from the levels of the months, and from the levels that the
-- airline and the airports had in these months.
-- Effects are later estimated for groups of flights, for example for the flights of an airline on a route. A bad month
-- does not count against a group, because the delays of this month were expected. An old record still shows how a group
-- differs from its airline and airports.
-- Sums are decimals, because sums of decimals do not depend on the order of the rows.
create or replace temp table effect_cells as
with
route_months as (
    select
        month,
        is_by_arrival,
        route,
        sum(completed_count)::bigint as flight_count,
        sum(delayed_count)::bigint as delayed_count
    from route_flights
    group by all
),

leveled as (
    select
        levels.as_of,
        route_months.*,
        levels.level + levels.shift as beyond_month
    from route_months
    inner join route_levels as levels using (month, route)
),

months as (
    select
        as_of,
        month,
        is_by_arrival,
        logit((sum(delayed_count) + 0.5) / (sum(flight_count) + 1)) as log_odds
    from leveled
    group by all
),

-- Corrects the level of each month once, so that the expected delays of the month equal its actual delays.
month_levels as (
    select
        months.as_of,
        months.month,
        months.is_by_arrival,
        2 * any_value(months.log_odds)
        - logit(
            sum((leveled.flight_count * expit(months.log_odds + leveled.beyond_month))::decimal(28, 9))::double
            / sum(leveled.flight_count)
        ) as log_odds
    from leveled
    inner join months using (as_of, month, is_by_arrival)
    group by all
),

weighted as (
    select
        *,
        recency_weight(date_diff('month', middle_of(month), max(middle_of(month)) over (partition by as_of))) as weight
    from month_levels
),

expected as (
    select
        leveled.as_of,
        leveled.month,
        leveled.is_by_arrival,
        leveled.route,
        weighted.weight,
        expit(weighted.log_odds + leveled.beyond_month) as delayed_rate
    from leveled
    inner join weighted using (as_of, month, is_by_arrival)
),

counted as (
    select
        expected.as_of,
        route,
        flights.local_hour,
        half_year(month) as half_year,
        sum((flights.completed_count * expected.weight::double * season_depth(month)::double)::decimal(28, 9)) as seasonal_count,
        sum(flights.completed_count * expected.weight) as flight_count,
        sum(flights.delayed_count * expected.weight) as delayed_count,
        sum((flights.completed_count * expected.weight::double * expected.delayed_rate)::decimal(28, 9)) as expected_count
    from route_flights as flights
    inner join expected using (month, is_by_arrival, route)
    group by all
)

select
    as_of,
    route,
    local_hour,
    half_year,
    round(seasonal_count::double / flight_count::double, 9) as season_depth,
    null::date as month,
    flight_count::decimal(28, 6) as flight_count,
    delayed_count::decimal(28, 6) as delayed_count,
    round(logit(expected_count::double / flight_count::double), 9) as log_odds
from counted
where flight_count > 0
