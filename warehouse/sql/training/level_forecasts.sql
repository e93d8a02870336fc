-- One row per carrier and airport with flights that arrived in `$month`. It has the counts from the lake's file of that
-- month, and three forecasts of the share of flights 15 minutes late or more.
-- Run this query after `loadDelayCausesBefore`, `intermediate/int_level_ahead` and `estimateLevels`.
-- The rates behind `last_year` and `last_twelve` are shrunk in two steps. First, the rate of each airline and of each
-- airport is shrunk toward the rate of the network. Second, the rate of an airline at an airport is shrunk toward the
-- rate that these two rates suggest. Prior strengths are estimated from the same rows.
--   levels: forecast from the levels of the airline, the airport and the month of the year
--   last_year: forecast from the rates of the same month a year before
--   last_twelve: forecast from the rates of the newest twelve months
with
history as (
    select
        month,
        carrier,
        airport,
        arr_flights - arr_cancelled - arr_diverted as arrived_count,
        arr_del15 as late_count
    from raw.delay_causes
    where arr_flights > arr_cancelled + arr_diverted
),

newest as (
    select max(month) as month
    from history
),

spans as (
    select
        'last_year' as baseline,
        history.*
    from history
    where month = $month::date - interval 12 months
    union all
    select
        'last_twelve' as baseline,
        history.*
    from history
    cross join newest
    where history.month > newest.month - interval 12 months
),

cells as (
    select
        baseline,
        carrier,
        airport,
        sum(arrived_count) as arrived_count,
        sum(late_count) as late_count
    from spans
    group by all
),

networks as (
    select
        baseline,
        sum(late_count) / sum(arrived_count) as late_rate
    from cells
    group by all
),

groups as (
    select
        baseline,
        unnest(['carrier', 'airport']) as kind,
        unnest([carrier, airport]) as code,
        arrived_count,
        late_count
    from cells
),

group_counts as (
    select
        baseline,
        kind,
        code,
        sum(arrived_count) as arrived_count,
        sum(late_count) as late_count
    from groups
    group by all
),

group_strengths as (
    select
        group_counts.baseline,
        kind,
        prior_strength(late_count, arrived_count, late_rate) as strength
    from group_counts
    inner join networks using (baseline)
    group by all
),

group_rates as (
    select
        group_counts.baseline,
        kind,
        code,
        logit(shrink(late_count, arrived_count, late_rate, strength)) - logit(late_rate) as beyond
    from group_counts
    inner join group_strengths using (baseline, kind)
    inner join networks using (baseline)
),

priors as (
    select
        cells.*,
        expit(logit(networks.late_rate) + carriers.beyond + airports.beyond) as prior_rate
    from cells
    inner join networks using (baseline)
    inner join group_rates as carriers
        on carriers.baseline = cells.baseline and carriers.kind = 'carrier' and carriers.code = cells.carrier
    inner join group_rates as airports
        on airports.baseline = cells.baseline and airports.kind = 'airport' and airports.code = cells.airport
),

strengths as (
    select
        baseline,
        prior_strength(late_count, arrived_count, prior_rate) as strength
    from priors
    group by all
),

cell_rates as (
    select
        baseline,
        carrier,
        airport,
        shrink(late_count, arrived_count, prior_rate, strength) as late_rate
    from priors
    inner join strengths using (baseline)
),

arrivals as (
    select
        carrier,
        airport,
        arr_flights - arr_cancelled - arr_diverted as arrived_count,
        arr_del15 as late_count
    from read_parquet($file, hive_partitioning = false)
    where arr_flights > arr_cancelled + arr_diverted
),

-- If an airline is new at an airport, its rate there follows from the rate of the airline and the rate of the airport.
-- If the airline or the airport itself is new, the rate of the network takes the place of its own rate.
forecasts as (
    select
        arrivals.*,
        networks.baseline,
        coalesce(
            cell_rates.late_rate,
            expit(logit(networks.late_rate) + coalesce(carriers.beyond, 0) + coalesce(airports.beyond, 0))
        ) as late_rate
    from arrivals
    cross join networks
    left join cell_rates
        on cell_rates.baseline = networks.baseline
        and cell_rates.carrier = arrivals.carrier
        and cell_rates.airport = arrivals.airport
    left join group_rates as carriers
        on carriers.baseline = networks.baseline and carriers.kind = 'carrier' and carriers.code = arrivals.carrier
    left join group_rates as airports
        on airports.baseline = networks.baseline and airports.kind = 'airport' and airports.code = arrivals.airport
),

baselines as (
    select
        carrier,
        airport,
        any_value(arrived_count)::integer as arrived_count,
        any_value(late_count)::integer as late_count,
        any_value(late_rate) filter (where baseline = 'last_year') as last_year,
        any_value(late_rate) filter (where baseline = 'last_twelve') as last_twelve
    from forecasts
    group by all
),

level_effects as (
    select
        kind,
        key,
        effect
    from effects
    where as_of = date '9999-01-01'
),

compared as (
    select
        baselines.*,
        expit(
            ahead.base
            + ahead.season
            + coalesce(carriers.effect, 0)
            + coalesce(airports.effect, 0)
            + season_depth($month::date) * coalesce(half_years.effect, 0)
            + coalesce(carriers_there.effect, 0)
        ) as levels
    from baselines
    cross join intermediate.int_level_ahead as ahead
    left join level_effects as carriers
        on carriers.kind = 'carrier_level' and carriers.key = baselines.carrier
    left join level_effects as airports
        on airports.kind = 'dest_level' and airports.key = baselines.airport
    left join level_effects as half_years
        on half_years.kind = 'dest_half_year_level' and half_years.key = baselines.airport || half_year($month::date)
    left join level_effects as carriers_there
        on carriers_there.kind = 'dest_carrier_level' and carriers_there.key = baselines.airport || baselines.carrier
    where ahead.level = month($month::date)
    order by baselines.carrier, baselines.airport
)

select * from compared
