import { modelsFor } from '../../warehouse/build/models.ts';
import type { Database } from '../../warehouse/connect.ts';
import { atOwnLevel, logLoss, type Held } from '../../models/evaluate/log-loss.ts';
import type { Fold } from '../../jobs/cli/fit/report.ts';
import { NOTE_MONTHS, type History } from './histories.ts';

/** Months of history before the first month that is predicted. */
const FIRST_MONTHS = 3;

const RATE_MODELS = modelsFor('marts/route_carrier_otp');

/**
 * Predicts each month, airline-route by airline-route, from the months that end `horizon` months before it (1: from all
 * before it), under each half-life (months; Infinity is no decay), through the models of the nightly build.
 */
export async function halfLifeFolds(
  { db }: History,
  { horizon, halfLives }: { horizon: number; halfLives: number[] },
): Promise<Fold[]> {
  return rollingFolds(db, horizon, async (month) => {
    const candidates: Record<string, Held[]> = {};
    for (const halfLife of halfLives) {
      await buildRates(db, halfLife);
      candidates[label(halfLife)] = await db.rows<Held>(HELD_OUT, { month });
    }
    return candidates;
  });
}

/** The same with prior strengths (flights) in place of the estimated one, which is the candidate `estimated`. */
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
    const candidates: Record<string, Held[]> = {};
    for (const strength of [...strengths, estimate]) {
      const name = strength === estimate ? 'estimated' : String(strength);
      candidates[name] = await db.rows<Held>(HELD_OUT_AT_STRENGTH, { month, strength });
    }
    return candidates;
  });
  return { folds, estimates };
}

export function label(halfLife: number): string {
  return Number.isFinite(halfLife) ? `${halfLife} months` : 'none';
}

async function rollingFolds(
  db: Database,
  horizon: number,
  predict: (month: string) => Promise<Record<string, Held[]>>,
): Promise<Fold[]> {
  const months = await db.rows<{ month: string }>(
    'select distinct month::varchar as month from history order by month',
  );
  await db.run('delete from raw.route_hours; delete from raw.lake_months');
  const folds: Fold[] = [];
  for (const { month } of months) {
    await db.run(ADD_MONTHS, { month, horizon });
    const [loaded] = await db.rows<{ count: number }>(
      'select count(*) as count from raw.lake_months',
    );
    if ((loaded?.count ?? 0) >= FIRST_MONTHS) folds.push(fold(month, await predict(month)));
  }
  return folds;
}

function fold(month: string, candidates: Record<string, Held[]>): Fold {
  const losses = Object.entries(candidates).map(([name, held]): [string, number] => [
    name,
    logLoss(atOwnLevel(held)),
  ]);
  const [any = []] = Object.values(candidates);
  return {
    month,
    flights: any.reduce((sum, { completed }) => sum + completed, 0),
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
  ${NOTE_MONTHS}`;

const MONTH_FLIGHTS = `
  select origin, dest, carrier, sum(completed_count)::bigint as completed, sum(delayed_count)::bigint as delayed
  from history where month = $month::date group by all having sum(completed_count) > 0`;

const HELD_OUT = `
  select flights.completed, flights.delayed, otp.delayed_rate as rate
  from (${MONTH_FLIGHTS}) as flights
  inner join marts.route_carrier_otp as otp using (origin, dest, carrier)`;

const HELD_OUT_AT_STRENGTH = `
  select flights.completed, flights.delayed,
    shrink(priors.weighted_delayed_count, priors.weighted_completed_count, priors.delayed_prior, $strength) as rate
  from (${MONTH_FLIGHTS}) as flights
  inner join intermediate.int_route_carrier_priors as priors using (origin, dest, carrier)`;
