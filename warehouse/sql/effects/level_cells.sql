-- One row per as-of day, carrier, airport of arrival and half-year, with the number of flights of all months published
-- by that day, and how many of them arrived 15 minutes late or more. Recent months have more weight. A month counts as
-- published two months after its end.
-- `log_odds` is the share of late flights expected from the level of the months, as log-odds. Sums are decimals,
-- because sums of decimals do not depend on the order of the rows.
create or replace temp table effect_cells as
with
published as (
    select
        effect_days.as_of,
        counts.month,
        counts.carrier,
        counts.airport,
        counts.arrived_count,
        counts.late_count,
        expit(months.log_odds) as late_rate,
        level_weight(date_diff('month', counts.month, max(counts.month) over (partition by effect_days.as_of))) as weight
    from intermediate.int_level_counts as counts
    inner join intermediate.int_level_months as months using (month)
    inner join effect_days on published_from(counts.month) <= effect_days.as_of
),

counted as (
    select
        as_of,
        carrier,
        airport,
        half_year(month) as half_year,
        sum((arrived_count * weight::double * season_depth(month)::double)::decimal(28, 9)) as seasonal_count,
        sum(arrived_count * weight) as flight_count,
        sum(late_count * weight) as delayed_count,
        sum((arrived_count * weight::double * late_rate)::decimal(28, 9)) as expected_count
    from published
    group by all
)

select
    as_of,
    route,
    null::tinyint as local_hour,
    half_year,
    round(seasonal_count::double / flight_count::double, 9) as season_depth,
    null::date as month,
    flight_count::decimal(28, 6) as flight_count,
    delayed_count::decimal(28, 6) as delayed_count,
    round(logit(expected_count::double / flight_count::double), 9) as log_odds
from counted
inner join cell_routes on cell_routes.carrier = counted.carrier and cell_routes.dest = counted.airport
where flight_count > 0
