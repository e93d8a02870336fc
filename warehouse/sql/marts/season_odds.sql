-- One row per kind and level: odds of delay against the average day; 1 is average.
-- kind month: level 1 to 12; weekday: ISO 1 Monday to 7 Sunday; holiday: days from the nearest public holiday, -3 to 3.
-- Months compare the delays seen with those expected from the airline-routes flown, so the mix of flights cancels out.
-- Sums of fractions are ordered, for their last bits depend on it and the same history must give the same bytes.
-- Weekdays and holidays are means of daily log-odds, shrunk by how far the levels differ beyond the noise of their days.
create or replace table marts.season_odds as
with
route_hours as (
    select * from raw.route_hours
),

route_carriers as (
    select * from marts.route_carrier_otp
),

calendar_days as (
    select * from intermediate.int_calendar_days
),

route_months as (
    select
        month(month) as level,
        origin,
        dest,
        carrier,
        sum(completed_count) as completed_count,
        sum(delayed_count) as delayed_count
    from route_hours
    group by all
),

month_counts as (
    select
        route_months.level,
        sum(route_months.completed_count) as completed_count,
        sum(route_months.delayed_count) as delayed_count,
        sum(route_months.completed_count * route_carriers.delayed_rate order by origin, dest, carrier) as expected_count
    from route_months
    inner join route_carriers using (origin, dest, carrier)
    group by all
),

month_odds as (
    select
        'month' as kind,
        level,
        odds((delayed_count + 0.5) / (completed_count + 1))
        / odds((expected_count + 0.5) / (completed_count + 1)) as odds
    from month_counts
),

day_levels as (
    select
        'weekday' as kind,
        isodow(flight_date) as level,
        log_odds
    from calendar_days
    union all
    select
        'holiday' as kind,
        windows.days as level,
        calendar_days.log_odds
    from calendar_days
    inner join marts.holiday_windows as windows using (country_code, flight_date)
),

level_means as (
    select
        kind,
        level,
        avg(log_odds order by log_odds) as mean,
        count(*) as day_count,
        coalesce(var_samp(log_odds order by log_odds), 0) as variance
    from day_levels
    group by all
),

kinds as (
    select
        kind,
        sum(variance * (day_count - 1) order by level) / greatest(1, sum(day_count - 1)) as noise,
        greatest(
            0,
            -- Weekdays make up all days, so they lie around their mean; days near holidays lie around the average day.
            coalesce(case kind when 'weekday' then var_samp(mean order by level) else avg(mean * mean order by level) end, 0)
            - sum(variance * (day_count - 1) order by level) / greatest(1, sum(day_count - 1))
            * avg(1 / day_count order by level)
        ) as spread
    from level_means
    group by kind
),

day_odds as (
    select
        level_means.kind,
        level_means.level,
        exp(
            level_means.mean * kinds.spread
            / greatest(1e-9, kinds.spread + kinds.noise / level_means.day_count)
        ) as odds
    from level_means
    inner join kinds using (kind)
),

all_levels as (
    select * from month_odds
    union all
    select * from day_odds
    order by kind, level
)

select * from all_levels
