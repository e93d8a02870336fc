-- Adds the effect of each month of the year on cancellations, and how much single months differ from these effects. The
-- rates come from the usual months of the delay-cause table. If there are none, the rates come from flights. The effect
-- is the rate of the month minus the mean rate of the months, both as log-odds. With n years, the effect is multiplied
-- by n / (n + 1). A month of the year without any data gets the mean effect of the other months.
insert into outcome_fits
with
table_months as (
    select
        causes.month,
        sum(arr_flights) as flight_count,
        sum(arr_cancelled) as cancelled_count
    from raw.delay_causes as causes
    left join intermediate.int_level_months as months using (month)
    where coalesce(months.is_usual, true)
    group by all
),

flight_months as (
    select
        month,
        sum(cancelled_from) as flight_count,
        sum(cancelled_count) as cancelled_count
    from outcome_counts
    where month not in (select month from raw.delay_causes) and not is_year(month)
    group by all
),

-- Flights are used only without usual months of the table, because a file of flights may have only a few airports.
months as (
    select * from table_months
    union all
    select * from flight_months
    where not exists (select * from table_months)
),

rates as (
    select
        month(month) as month_of_year,
        logit((cancelled_count + 0.5) / (flight_count + 1)) as log_odds
    from months
),

-- The median of the years is used, because single years are extreme: in March 2020 one flight in eight was cancelled.
seasons as (
    select
        month_of_year,
        count(*) as year_count,
        median(log_odds) as log_odds
    from rates
    group by all
),

years as (
    select logit(avg(expit(log_odds) order by month_of_year)) as log_odds
    from seasons
),

spreads as (
    select coalesce(sqrt(avg(power(rates.log_odds - seasons.log_odds, 2) order by month_of_year, rates.log_odds)), 0) as spread
    from rates
    inner join seasons using (month_of_year)
),

effects as (
    select
        month_of_year,
        (seasons.log_odds - years.log_odds) * year_count / (year_count + 1) as effect
    from seasons
    cross join years
),

unknown as (
    select avg(effect order by month_of_year) as effect
    from effects
)

select
    'cancelled' as step,
    'month' as kind,
    all_months.month_of_year::varchar as key,
    coalesce(effects.effect, unknown.effect, 0) as effect,
    0 as spread
from range(1, 13) as all_months (month_of_year)
left join effects using (month_of_year)
cross join unknown
union all
select
    'cancelled' as step,
    'network' as kind,
    '' as key,
    0 as effect,
    spread
from spreads
