-- One row per month of `int_level_counts`, with the log-odds of being 15 minutes late or more in the whole network.
-- Months newer than the delay-cause table come from flights, which may cover only a part of the network. Their
-- `log_odds` are corrected by the rates of the same airlines at the same airports in the newest twelve months of the
-- table.
-- `is_usual` is false for a month with few flights, for example in a pandemic. Such a month has under four fifths of
-- the flights that the same calendar month had in the best earlier year. Unusual months are left out of the expected
-- level and the seasons, but count in the levels of airlines and airports.
--   log_odds: log-odds of being 15 minutes late or more
--   is_usual: false for months of a pandemic or the like
create or replace table intermediate.int_level_months as
with
counts as (
    select * from intermediate.int_level_counts
),

recent as (
    select * from counts
    where is_whole and month > (select max(month) - to_months(12) from counts where is_whole)
),

recent_rate as (
    select sum(late_count) / sum(arrived_count) as late_rate
    from recent
),

groups as (
    select
        recent.carrier,
        recent.airport,
        -- Adds a hundred flights with the network's rate, so that a few flights have almost no effect.
        shrink(sum(recent.late_count), sum(recent.arrived_count), any_value(recent_rate.late_rate), 100) as late_rate
    from recent
    cross join recent_rate
    group by all
),

months as (
    select
        counts.month,
        any_value(counts.is_whole) as is_whole,
        sum(counts.arrived_count) as arrived_count,
        (sum(counts.late_count) + 0.5) / (sum(counts.arrived_count) + 1) as late_rate,
        round(sum(counts.arrived_count * coalesce(groups.late_rate, recent_rate.late_rate)), 6)
        / sum(counts.arrived_count) as recent_rate,
        any_value(recent_rate.late_rate) as network_rate
    from counts
    cross join recent_rate
    left join groups using (carrier, airport)
    group by all
),

levels as (
    select
        month,
        logit(late_rate) - case when is_whole then 0 else logit(recent_rate) - logit(network_rate) end as log_odds,
        not is_whole or coalesce(arrived_count >= 0.8 * max(arrived_count) over earlier_years, true) as is_usual
    from months
    window earlier_years as (
        partition by month(month), is_whole order by month rows between unbounded preceding and 1 preceding
    )
    order by month
)

select * from levels
