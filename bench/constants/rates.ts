import { listModelsFor } from '../../warehouse/build/models.ts';
import type { Database } from '../../warehouse/connect.ts';
import {
  shiftToObservedLevel,
  logLoss,
  type PredictedGroup,
} from '../../models/evaluate/log-loss.ts';
import type { Fold } from '../../jobs/cli/fit/report.ts';
import { INSERT_LAKE_MONTHS, type History } from './histories.ts';

/** Months of history before the first month that is predicted. */
const FIRST_MONTHS = 3;

const RATE_MODELS = listModelsFor('marts/route_carrier_otp');

/**
 * Predicts each airline-route in each month with the SQL models of the nightly build, once for each half-life in months
 * (Infinity: no decay). A prediction uses only months that are at least `horizon` months earlier. If `horizon` is 1, it
 * uses all earlier months.
 */
export async function halfLifeFolds(
  { db }: History,
  { horizon, halfLives }: { horizon: number; halfLives: number[] },
): Promise<Fold[]> {
  return rollingFolds(db, horizon, async (month) => {
    const candidates: Record<string, PredictedGroup[]> = {};
    for (const halfLife of halfLives) {
      await buildRates(db, halfLife);
      candidates[formatHalfLife(halfLife)] = await db.rows<PredictedGroup>(PREDICTIONS, { month });
    }
    return candidates;
  });
}

/**
 * Predicts with each fixed prior strength (in flights), and with the estimated strength. The candidate with the
 * estimated strength is called `estimated`.
 */
export async function strengthFolds(
  { db }: History,
  { halfLife, strengths }: { halfLife: number; strengths: number[] },
): Promise<{ folds: Fold[]; estimates: number[] }> {
  const estimates: number[] = [];
  const folds = await rollingFolds(db, 1, async (month) => {
    await buildRates(db, halfLife);
    const [row] = await db.rows<{ strength: number }>(
      'select prior_flights as strength from marts.network',
    );
    const estimate = row?.strength ?? 0;
    estimates.push(estimate);
    const candidates: Record<string, PredictedGroup[]> = {};
    for (const strength of [...strengths, estimate]) {
      const name = strength === estimate ? 'estimated' : String(strength);
      candidates[name] = await db.rows<PredictedGroup>(PREDICTIONS_AT_STRENGTH, {
        month,
        strength,
      });
    }
    return candidates;
  });
  return { folds, estimates };
}

function formatHalfLife(halfLife: number): string {
  return Number.isFinite(halfLife) ? `${halfLife} months` : 'none';
}

async function rollingFolds(
  db: Database,
  horizon: number,
  predict: (month: string) => Promise<Record<string, PredictedGroup[]>>,
): Promise<Fold[]> {
  const months = await db.rows<{ month: string }>(
    'select distinct month::varchar as month from history order by month',
  );
  await db.run('delete from raw.route_hours; delete from raw.lake_months');
  const folds: Fold[] = [];
  for (const { month } of months) {
    await db.run(ADD_MONTHS, { month, horizon });
    const [counts] = await db.rows<{ count: number }>(
      'select count(*) as count from raw.lake_months',
    );
    if ((counts?.count ?? 0) >= FIRST_MONTHS) folds.push(buildFold(month, await predict(month)));
  }
  return folds;
}

function buildFold(month: string, candidates: Record<string, PredictedGroup[]>): Fold {
  const losses = Object.entries(candidates).map(([name, groups]): [string, number] => [
    name,
    logLoss(shiftToObservedLevel(groups)),
  ]);
  const [predictions = []] = Object.values(candidates);
  return {
    month,
    flights: predictions.reduce((sum, { completed }) => sum + completed, 0),
    losses: new Map(losses),
  };
}

async function buildRates(db: Database, halfLife: number): Promise<void> {
  for (const model of RATE_MODELS) {
    if (model === 'intermediate/int_month_weights') {
      await db.run(MONTH_WEIGHTS, { halfLife: Number.isFinite(halfLife) ? halfLife : 1e9 });
    } else {
      await db.runFile(model);
    }
  }
}

const MONTH_WEIGHTS = `create or replace table intermediate.int_month_weights as
  select month,
    power(0.5, date_diff('month', month, max(month) over ()) / $halfLife)::decimal(7, 6) as weight
  from raw.lake_months`;

const ADD_MONTHS = `
  insert into raw.route_hours from history
  where month <= $month::date - to_months($horizon::integer) and month not in (select month from raw.lake_months);
  ${INSERT_LAKE_MONTHS}`;

const MONTH_FLIGHTS = `
  select origin, dest, carrier, sum(completed_count)::bigint as completed, sum(delayed_count)::bigint as delayed
  from history where month = $month::date group by all having sum(completed_count) > 0`;

const PREDICTIONS = `
  select flights.completed, flights.delayed, otp.delayed_rate as rate
  from (${MONTH_FLIGHTS}) as flights
  inner join marts.route_carrier_otp as otp using (origin, dest, carrier)`;

const PREDICTIONS_AT_STRENGTH = `
  select flights.completed, flights.delayed,
    shrink(priors.weighted_delayed_count, priors.weighted_completed_count, priors.delayed_prior, $strength) as rate
  from (${MONTH_FLIGHTS}) as flights
  inner join intermediate.int_route_carrier_priors as priors using (origin, dest, carrier)`;
