-- One row per kind, outcome, horizon, month, provider and airline, with the accuracy of these forecasts. `all` stands
-- for all months, providers or airlines together. A column that ends in _noise is the standard error of the column
-- before.
--   kind: live (frozen before the flights) or replayed (made later from the data before the month)
--   outcome: late (among the flights that arrived) or disrupted (late or cancelled, among all flights)
--   horizon_days: days from the forecast to the flight; null for a replayed forecast
--   month: YYYY-MM, or all
--   provider: provider of the flight record, or all
--   carrier: operating airline, IATA code, or all
--   flight_count: flight forecasts compared with actual flights
--   event_count: number of these flights with the outcome
--   block_count: blocks for the standard errors
--   forecast, forecast_noise: mean forecast, 0 to 1
--   actual, actual_noise: share with the outcome, 0 to 1
--   level, level_noise: forecast minus actual
--   brier, brier_noise: Brier score
--   reliability, reliability_noise: part of the Brier score due to forecasts that differ from the actual share of their
--     bin
--   resolution, resolution_noise: reduction of the Brier score, because bins differ in their actual share
--   uncertainty, uncertainty_noise: Brier score of always forecasting the actual share
--   log_loss, log_loss_noise: mean log loss, nats
--   auc, auc_noise: given a flight with the outcome and a flight without it, the chance that the first has the higher
--     forecast; null if all flights or no flights have the outcome
--   bins: forecasts in bins of 2.5 percentage points, with flights, mean forecast and actual share
create or replace view main.forecast_figures as
with
file_rows as (
    select * from $figures
    union all by name
    select
        null::varchar as kind,
        null::varchar as outcome,
        null::integer as horizon_days,
        null::varchar as month,
        null::varchar as provider,
        null::varchar as carrier,
        null::bigint as flight_count,
        null::bigint as event_count,
        null::bigint as block_count,
        null::double as forecast,
        null::double as forecast_noise,
        null::double as actual,
        null::double as actual_noise,
        null::double as level,
        null::double as level_noise,
        null::double as brier,
        null::double as brier_noise,
        null::double as reliability,
        null::double as reliability_noise,
        null::double as resolution,
        null::double as resolution_noise,
        null::double as uncertainty,
        null::double as uncertainty_noise,
        null::double as log_loss,
        null::double as log_loss_noise,
        null::double as auc,
        null::double as auc_noise,
        null::struct("from" double, "to" double, flights bigint, forecast double, actual double)[] as bins
    where false
)

select
    kind,
    outcome,
    horizon_days,
    month,
    provider,
    carrier,
    flight_count,
    event_count,
    block_count,
    forecast,
    forecast_noise,
    actual,
    actual_noise,
    level,
    level_noise,
    brier,
    brier_noise,
    reliability,
    reliability_noise,
    resolution,
    resolution_noise,
    uncertainty,
    uncertainty_noise,
    log_loss,
    log_loss_noise,
    auc,
    auc_noise,
    bins
from file_rows
