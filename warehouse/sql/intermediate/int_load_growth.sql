-- One row per size class of airports, which shows how delay grows with load.
-- `slope` is the difference between the log-odds of delay in a full hour and in an empty hour, from one step of a
-- logistic regression on utilisation. An hour is compared with the same hour on other days at the same airport.
-- Different hours of the day cannot be compared, because delays also grow toward the evening for other reasons.
-- Slopes are shrunk toward 0.2 (prior with a standard error of 0.1) and are never below 0. The slope of the seed is
-- 0.19.
--   size_class: small, medium or large
--   slope: increase of the log-odds from an empty hour to a full hour
--   growth: slope relative to the steepest class, 0 to 1
create or replace table intermediate.int_load_growth as
with
cells as (
    select
        loads.airport,
        peaks.size_class,
        loads.month_of_year,
        loads.weekday,
        loads.local_hour,
        loads.movement_sum / loads.day_sum / peaks.peak_movements as utilisation,
        loads.completed_count,
        loads.delayed_count
    from intermediate.int_airport_hour_loads as loads
    inner join intermediate.int_airport_peaks as peaks using (airport)
    where loads.completed_count > 0
),

-- Adds half a delayed flight and half a flight on time, so that the odds are never 0 or infinite.
levels as (
    select
        *,
        logit((sum(delayed_count) over day + 0.5) / (sum(completed_count) over day + 1))
        + logit((sum(delayed_count) over hour + 0.5) / (sum(completed_count) over hour + 1))
        - logit((sum(delayed_count) over airport_total + 0.5) / (sum(completed_count) over airport_total + 1)) as expected_log_odds
    from cells
    window
        day as (partition by airport, month_of_year, weekday),
        hour as (partition by airport, local_hour),
        airport_total as (partition by airport)
),

weighted as (
    select
        *,
        delayed_count - completed_count * expit(expected_log_odds) as excess_count,
        completed_count * expit(expected_log_odds) * (1 - expit(expected_log_odds)) as information
    from levels
),

centred as (
    select
        size_class,
        excess_count,
        information,
        utilisation
        - sum(information * utilisation) over day / sum(information) over day
        - sum(information * utilisation) over hour / sum(information) over hour
        + sum(information * utilisation) over airport_total / sum(information) over airport_total as utilisation_beyond
    from weighted
    window
        day as (partition by airport, month_of_year, weekday),
        hour as (partition by airport, local_hour),
        airport_total as (partition by airport)
),

slopes as (
    select
        size_class,
        greatest(0, round(
            (sum(excess_count * utilisation_beyond) + 0.2 * 100)
            / (sum(information * power(utilisation_beyond, 2)) + 100),
            6
        )) as slope
    from centred
    group by all
),

-- If no class has a positive slope, all growths are 0, and no hour is congested.
scaled as (
    select
        size_class,
        slope,
        coalesce(slope / nullif(max(slope) over (), 0), 0) as growth
    from slopes
    order by size_class
)

select * from scaled
