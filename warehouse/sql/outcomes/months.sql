-- One row per month with flights: its half-year, its season depth, and whether it is a whole year.
select distinct
    date_diff('month', date '1970-01-01', month) as month,
    month::varchar as "firstDay",
    half_year as "halfYear",
    season_depth::double as depth,
    is_year(month) as "isYear"
from outcome_month_counts
