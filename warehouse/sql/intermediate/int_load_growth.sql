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

-- Log-odds of delay at each airport, in three parts: for each weekday of each month of the year, for each hour, and for
-- all flights. Half a delayed flight and half a flight on time are added, so that the odds are never 0 or infinite.
-- Grouped sums and joins take a third of the time of window functions here.
days as (
    select
        airport,
        month_of_year,
        weekday,
        logit((sum(delayed_count) + 0.5) / (sum(completed_count) + 1)) as log_odds
    from cells
    group by all
),

hours as (
    select
        airport,
        local_hour,
        logit((sum(delayed_count) + 0.5) / (sum(completed_count) + 1)) as log_odds
    from cells
    group by all
),

totals as (
    select
        airport,
        logit((sum(delayed_count) + 0.5) / (sum(completed_count) + 1)) as log_odds
    from cells
    group by all
),

expected as (
    select
        cells.*,
        expit(days.log_odds + hours.log_odds - totals.log_odds) as delayed_rate
    from cells
    inner join days
        on days.airport = cells.airport
        and days.month_of_year = cells.month_of_year
        and days.weekday is not distinct from cells.weekday
    inner join hours on hours.airport = cells.airport and hours.local_hour = cells.local_hour
    inner join totals on totals.airport = cells.airport
),

weighted as (
    select
        airport,
        size_class,
        month_of_year,
        weekday,
        local_hour,
        utilisation,
        delayed_count - completed_count * delayed_rate as excess_count,
        completed_count * delayed_rate * (1 - delayed_rate) as information
    from expected
),

day_means as (
    select
        airport,
        month_of_year,
        weekday,
        sum(information * utilisation) / sum(information) as utilisation
    from weighted
    group by all
),

hour_means as (
    select
        airport,
        local_hour,
        sum(information * utilisation) / sum(information) as utilisation
    from weighted
    group by all
),

total_means as (
    select
        airport,
        sum(information * utilisation) / sum(information) as utilisation
    from weighted
    group by all
),

centred as (
    select
        weighted.size_class,
        weighted.excess_count,
        weighted.information,
        weighted.utilisation - days.utilisation - hours.utilisation + totals.utilisation as utilisation_beyond
    from weighted
    inner join day_means as days
        on days.airport = weighted.airport
        and days.month_of_year = weighted.month_of_year
        and days.weekday is not distinct from weighted.weekday
    inner join hour_means as hours on hours.airport = weighted.airport and hours.local_hour = weighted.local_hour
    inner join total_means as totals on totals.airport = weighted.airport
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
