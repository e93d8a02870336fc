-- One row per kind (live or replayed), outcome, horizon, month, provider and airline, with figures about the forecasts
-- of this group. `all` stands for all months, providers or airlines together. A block is a day or, if the source has no
-- days, one month at one airport. The flights of a block share their weather, so they are not independent. Standard
-- errors are therefore computed from the differences between blocks; they are null with fewer than two blocks.
create or replace table figures as
with
-- The two outcomes: late, and late or cancelled. A diverted flight has neither outcome.
forecasts as (
    select
        kind, 'late' as outcome, horizon_days, month, provider, carrier, block,
        late_probability as p, completed_count as n, delayed_count as e
    from cases
    where completed_count > 0
    union all
    select
        kind, 'disrupted' as outcome, horizon_days, month, provider, carrier, block,
        disrupted_probability as p,
        completed_count + diverted_count + cancelled_count as n,
        delayed_count + cancelled_count as e
    from cases
),

-- Each forecast is in eight groups: all combinations of its month or all months, its provider or all providers, and its
-- airline or all airlines.
labels as (
    select
        hash(kind, outcome, horizon_days, months.month, providers.provider, carriers.carrier) as id,
        any_value(kind) as kind,
        any_value(outcome) as outcome,
        any_value(horizon_days) as horizon_days,
        any_value(months.month) as month,
        any_value(providers.provider) as provider,
        any_value(carriers.carrier) as carrier
    from (select distinct kind, outcome, horizon_days, month, provider, carrier from forecasts) as own,
        unnest([own.month, 'all']) as months(month),
        unnest([own.provider, 'all']) as providers(provider),
        unnest([own.carrier, 'all']) as carriers(carrier)
    group by id
),

-- All columns are numbers. Texts would need more memory, and a year has millions of rows.
grouped as not materialized (
    select
        hash(kind, outcome, horizon_days, months.month, providers.provider, carriers.carrier) as id,
        hash(block) as block,
        p,
        n,
        e
    from forecasts,
        unnest([forecasts.month, 'all']) as months(month),
        unnest([forecasts.provider, 'all']) as providers(provider),
        unnest([forecasts.carrier, 'all']) as carriers(carrier)
    where p is not null
),

totals as (
    select
        id,
        count(distinct block) as blocks,
        sum(n) as flights,
        sum(e) as events,
        sum(n * p) / sum(n) as forecast,
        sum(e) / sum(n) as actual,
        sum(e * (1 - p) * (1 - p) + (n - e) * p * p) / sum(n) as brier,
        -- Forecasts are limited to [0.000001, 0.999999], because the logarithm of 0 is infinite.
        sum(-e * ln(greatest(p, 1e-6)) - (n - e) * ln(greatest(1 - p, 1e-6))) / sum(n) as log_loss
    from grouped
    group by id
),

-- Forecasts in bins of 2.5 percentage points, to divide the Brier score into reliability, resolution and uncertainty.
bins as (
    select
        id,
        least(floor(p * 40), 39)::integer as bin,
        sum(n) as bin_flights,
        sum(n * p) / sum(n) as bin_forecast,
        sum(e) / sum(n) as bin_actual
    from grouped
    group by all
),

parts as (
    select
        id,
        sum(bin_flights * (bin_forecast - bin_actual) ** 2) / any_value(flights) as reliability,
        sum(bin_flights * (bin_actual - actual) ** 2) / any_value(flights) as resolution,
        list({
            'from': bin / 40.0, 'to': (bin + 1) / 40.0, 'flights': bin_flights::bigint,
            'forecast': bin_forecast, 'actual': bin_actual
        } order by bin) as bins
    from bins
    inner join totals using (id)
    group by id
),

-- For each forecast, the number of flights that had a lower forecast: those without the outcome (`quiet_below`), and
-- those with the outcome (`events_below`). A flight with an equal forecast counts as half.
ranked as (
    select
        id,
        p as forecast_p,
        sum(sum(n) - sum(e)) over lower_forecasts - (sum(n) - sum(e)) / 2 as quiet_below,
        sum(sum(e)) over lower_forecasts - sum(e) / 2 as events_below,
        sum(e) as rank_events
    from grouped
    group by id, p
    window lower_forecasts as (partition by id order by p)
),

aucs as (
    select
        id,
        case when any_value(events) > 0 and any_value(events) < any_value(flights)
            then sum(rank_events * quiet_below) / (any_value(events) * (any_value(flights) - any_value(events))) end as auc
    from ranked
    inner join totals using (id)
    group by id
),

-- The influence of each block on each figure. The squares of all influences add up to the variance of the figure.
influences as (
    select
        grouped.id,
        grouped.block,
        sum(n * (p - forecast)) / any_value(flights) as d_forecast,
        sum(e - n * actual) / any_value(flights) as d_actual,
        sum(n * p - e - n * (forecast - actual)) / any_value(flights) as d_level,
        sum(e * (1 - p) * (1 - p) + (n - e) * p * p - n * brier) / any_value(flights) as d_brier,
        sum(-e * ln(greatest(p, 1e-6)) - (n - e) * ln(greatest(1 - p, 1e-6)) - n * log_loss)
            / any_value(flights) as d_log_loss,
        sum(
            2 * (bin_forecast - bin_actual) * (n * p - e - n * (bin_forecast - bin_actual))
            + n * ((bin_forecast - bin_actual) ** 2 - reliability)
        ) / any_value(flights) as d_reliability,
        sum(
            2 * (bin_actual - actual) * (e - n * bin_actual) + n * ((bin_actual - actual) ** 2 - resolution)
        ) / any_value(flights) as d_resolution,
        sum((1 - 2 * actual) * (e - n * actual)) / any_value(flights) as d_uncertainty,
        sum(
            e * (quiet_below / (flights - events) - auc) / events
            + (n - e) * ((events - events_below) / events - auc) / (flights - events)
        ) filter (where auc is not null) as d_auc
    from grouped
    inner join totals on totals.id = grouped.id
    inner join bins on bins.id = grouped.id and bins.bin = least(floor(p * 40), 39)::integer
    inner join parts on parts.id = grouped.id
    inner join ranked on ranked.id = grouped.id and ranked.forecast_p = grouped.p
    inner join aucs on aucs.id = grouped.id
    group by grouped.id, grouped.block
),

noises as (
    select
        id,
        count(*) / nullif(count(*) - 1, 0) as correction,
        sqrt(correction * sum(d_forecast * d_forecast)) as forecast_noise,
        sqrt(correction * sum(d_actual * d_actual)) as actual_noise,
        sqrt(correction * sum(d_level * d_level)) as level_noise,
        sqrt(correction * sum(d_brier * d_brier)) as brier_noise,
        sqrt(correction * sum(d_log_loss * d_log_loss)) as log_loss_noise,
        sqrt(correction * sum(d_reliability * d_reliability)) as reliability_noise,
        sqrt(correction * sum(d_resolution * d_resolution)) as resolution_noise,
        sqrt(correction * sum(d_uncertainty * d_uncertainty)) as uncertainty_noise,
        sqrt(correction * sum(d_auc * d_auc)) as auc_noise
    from influences
    group by id
),

final as (
    select
        kind,
        outcome,
        horizon_days,
        month,
        provider,
        carrier,
        flights::bigint as flight_count,
        events::bigint as event_count,
        blocks as block_count,
        forecast,
        forecast_noise,
        actual,
        actual_noise,
        forecast - actual as level,
        level_noise,
        brier,
        brier_noise,
        reliability,
        reliability_noise,
        resolution,
        resolution_noise,
        actual * (1 - actual) as uncertainty,
        uncertainty_noise,
        log_loss,
        log_loss_noise,
        auc,
        auc_noise,
        bins
    from totals
    inner join labels using (id)
    inner join parts using (id)
    inner join aucs using (id)
    inner join noises using (id)
    order by kind, outcome, horizon_days, month, provider, carrier
)

select * from final
