import { logit } from '../ground/log-odds.ts';
import { sum } from '../ground/numbers.ts';
import type { Database } from '../connect.ts';
import { distanceBand } from '../ground/distance.ts';
import type { EffectKind } from '../store/effect-kinds.ts';
import { CANCELLED_KINDS, DIVERTED_KINDS, type OutcomeStep } from '../store/outcome-kinds.ts';
import type { Cells, Routes } from './effect-groups.ts';
import { fitEffects } from './fit-effects.ts';
import { fitLateSteps, type OutcomeFit } from './late-steps.ts';

/** SQL files that estimate the effects of outcomes, without the mart that stores them. */
export const OUTCOME_FILES = [
  'counts',
  'network',
  'season_share',
  'months',
  'month_cells',
  'cells',
  'between',
  'cancelled_months',
  'cancelled_cells',
  'cancelled_seasons',
  'diverted',
].map((name) => `outcomes/${name}`);

/**
 * Estimates the effects of every step between outcomes (see `OUTCOME_STEPS`) from the loaded months, and writes them to
 * the temporary table `outcome_fits`. Run `estimateEffects` first, because both use the same macros.
 */
export async function estimateOutcomes(db: Database): Promise<void> {
  await db.runFile('outcomes/counts');
  const routes = await readRoutes(db);
  const seasonShare = await seasonShareOf(db);
  for (const { step, fits } of await fitLateSteps(db, { routes, seasonShare })) {
    await saveFits(db, step, fits);
  }
  await db.runFile('outcomes/between');
  await db.runFile('outcomes/cancelled_months');
  const cancelled = (await db.fileColumns('outcomes/cancelled_cells')) as Cells;
  await saveFits(db, 'cancelled', fitRareStep(CANCELLED_KINDS, cancelled, routes));
  await db.runFile('outcomes/cancelled_seasons');
  await fitDiversions(db);
}

/** Share of the flights that depart in the United States, where the seasons of delays were measured. */
async function seasonShareOf(db: Database): Promise<number> {
  const [row] = await db.fileRows<{ share: number | null }>('outcomes/season_share');
  return row?.share ?? 0;
}

async function readRoutes(db: Database): Promise<Routes> {
  type Row = Record<'carrier' | 'origin' | 'dest', string> & Record<string, number | null>;
  const rows = await db.rows<Row>(
    `select routes.carrier, routes.origin, routes.dest, origins.latitude as lat1, origins.longitude as lon1,
       dests.latitude as lat2, dests.longitude as lon2
     from outcome_routes as routes
     left join reference.airports as origins on origins.iata = routes.origin
     left join reference.airports as dests on dests.iata = routes.dest
     order by route`,
  );
  return rows.map(({ carrier, origin, dest, lat1, lon1, lat2, lon2 }) => ({
    carrier,
    origin,
    dest,
    distance: distanceBand(placeOf(lat1, lon1), placeOf(lat2, lon2)),
  }));
}

function placeOf(latitude: number | null | undefined, longitude: number | null | undefined) {
  return typeof latitude === 'number' && typeof longitude === 'number'
    ? { latitude, longitude }
    : undefined;
}

/**
 * Fits the effects on a rare step, such as a diversion. If more flights of a group took the step, the standard
 * deviation (`spread`) of the group's effect is smaller.
 */
function fitRareStep(kinds: readonly EffectKind[], cells: Cells, routes: Routes): OutcomeFit[] {
  const { effects } = fitEffects(cells, routes, kinds);
  return effects.flatMap(({ kind, keys, values, delayed }, at) =>
    keys.map((key, group) => ({
      kind,
      key,
      effect: values[group] as number,
      spread: 1 / Math.sqrt((delayed[group] as number) + (kinds[at]?.strength ?? 0)),
    })),
  );
}

async function fitDiversions(db: Database): Promise<void> {
  await db.runFile('outcomes/diverted');
  const routes: Routes = await db.rows(
    `select distinct route, carrier, '' as origin, dest from outcome_arrivals order by route`,
  );
  const rows = await db.rows<Record<string, number>>(
    `select route, (half_year = 'S')::integer as summer, (seasonal_count / from_count)::double as depth,
       from_count::double as flights, step_count::double as diverted
     from outcome_arrivals order by route, half_year`,
  );
  const column = (name: string) => Float64Array.from(rows, (row) => row[name] as number);
  const [flights, delayed] = [column('flights'), column('diverted')];
  const rate = (sum([...delayed]) + 0.5) / (sum([...flights]) + 1);
  const logOdds = rows.length === 0 ? UNKNOWN_DIVERSIONS : logit(rate);
  const empty = new Float64Array(rows.length).fill(Number.NaN);
  const cells: Cells = {
    ...{ route: column('route'), hour: empty, summer: column('summer'), month: empty },
    ...{ seasonDepth: column('depth'), flights, delayed },
    logOdds: new Float64Array(rows.length).fill(logOdds),
  };
  await saveFits(db, 'diverted', [
    { kind: 'network', key: '', effect: logOdds, spread: 0 },
    ...fitRareStep(DIVERTED_KINDS, cells, routes),
  ]);
}

/**
 * Log-odds of a diversion, used if no source marks diversions. In BTS's table, 0.23 % of the flights from 2018 to 2025
 * were diverted.
 */
const UNKNOWN_DIVERSIONS = logit(0.0023);

async function saveFits(db: Database, step: OutcomeStep, fits: OutcomeFit[]): Promise<void> {
  await db.append('outcome_fits', [
    fits.map(() => step),
    fits.map(({ kind }) => kind),
    fits.map(({ key }) => key),
    fits.map(({ effect }) => effect),
    fits.map(({ spread }) => spread),
  ]);
}
