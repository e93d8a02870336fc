-- One row per airline-route and month: for each step between delays, flights that could take it (`…_flights`), and
-- flights that took it (`…_took`).
select
    route,
    (half_year = 'S')::integer as summer,
    season_depth as depth,
    date_diff('month', date '1970-01-01', month) as month,
    late15_from::double as late15_flights,
    late15_count::double as late15_took,
    late60_from::double as late60_flights,
    late60_count::double as late60_took,
    late120_from::double as late120_flights,
    late120_count::double as late120_took,
    late180_from::double as late180_flights,
    late180_count::double as late180_took,
    late360_from::double as late360_flights,
    late360_count::double as late360_took
from outcome_month_counts
order by route, outcome_month_counts.month
