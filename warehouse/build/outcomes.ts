import { logit } from '../ground/log-odds.ts';
import { sum } from '../ground/sum.ts';
import type { Database } from '../connect.ts';
import { distanceBand } from '../ground/distance.ts';
import {
  OUTCOME_KINDS,
  OUTCOME_MONTH_KINDS,
  OUTCOME_STEPS,
  type OutcomeStep,
} from '../store/outcome-kinds.ts';
import type { Cells, Routes } from './effect-groups.ts';
import { fitEffects, type Effects } from './fit-effects.ts';

/** SQL files behind the effects of outcomes, besides the mart that stores them. */
export const OUTCOME_FILES = [
  'counts',
  'network',
  'month_cells',
  'cells',
  'between',
  'cancelled_months',
  'cancelled_cells',
  'cancelled_seasons',
  'diverted',
].map((name) => `outcomes/${name}`);

/** A row of `outcome_fits` without its step. */
type Fit = { kind: string; key: string; effect: number; spread: number };

/** The steps between delays. */
const LATE_STEPS = OUTCOME_STEPS.filter((step) => step.startsWith('late'));

/**
 * Estimates the effects of every step between outcomes from the loaded months into the temporary table `outcome_fits`.
 * Run after `estimateEffects`, because both use the same macros.
 */
export async function estimateOutcomes(db: Database): Promise<void> {
  await db.runFile('outcomes/counts');
  const routes = await readRoutes(db);
  for (const step of LATE_STEPS) await fitLateStep(db, step, routes);
  await db.runFile('outcomes/between');
  await db.run('delete from outcome_months');
  await db.runFile('outcomes/cancelled_months');
  const cancelled = (await db.fileColumns('outcomes/cancelled_cells')) as Cells;
  await saveFits(db, 'cancelled', fitStep('cancelled', cancelled, routes));
  await db.runFile('outcomes/cancelled_seasons');
  await fitDiversions(db);
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

type NetworkRow = { flights: number | null; log_odds: number; level: number; spread: number };

/**
 * Fits one step between delays. First the months are compared with each other, given airlines and airports, so that no
 * group is blamed for a stormy month. Half of what one year shows about a season is weather, so the effect of n years
 * gets the weight n / (n + 1). A source that does not count the step adds nothing.
 */
async function fitLateStep(db: Database, step: OutcomeStep, routes: Routes): Promise<void> {
  await db.run('delete from outcome_months');
  const [network] = await db.fileRows<NetworkRow>('outcomes/network', { step });
  if (!network?.flights) return;
  const log_odds = network.log_odds;
  const byMonth = (await db.fileColumns('outcomes/month_cells', { step, log_odds })) as Cells;
  const { effects } = fitEffects(byMonth, routes, OUTCOME_MONTH_KINDS);
  const [halfYears, months] = effects.slice(-2) as [Effects, Effects];
  const years = months.keys.length / 12;
  const seasons = new Map(
    halfYears.keys.map((key, at) => [
      key,
      ((halfYears.values[at] as number) * years) / (years + 1),
    ]),
  );
  const own = months.keys.map((day) => {
    const { halfYear, depth } = seasonOfMonth(day);
    const at = halfYears.keys.indexOf(halfYear);
    return {
      whole: depth * (halfYears.values[at] as number),
      season: depth * (seasons.get(halfYear) as number),
    };
  });
  await db.append('outcome_months', [
    months.keys,
    own.map(({ whole }, at) => log_odds + whole + (months.values[at] as number)),
    own.map(({ season }) => season),
  ]);
  const cells = (await db.fileColumns('outcomes/cells', { step })) as Cells;
  const [leveled] = await db.fileRows<NetworkRow>('outcomes/network', { step });
  await saveFits(db, step, [
    {
      kind: 'network',
      key: '',
      effect: leveled?.level ?? log_odds,
      spread: leveled?.spread ?? 0,
    },
    ...halfYears.keys.map((key) => ({
      kind: 'half_year',
      key,
      effect: seasons.get(key) as number,
      spread: 0,
    })),
    ...fitStep(step, cells, routes),
  ]);
}

/** Half-year and season depth of a month, as in `effects/groups.sql`. */
function seasonOfMonth(firstDay: string): { halfYear: 'S' | 'W'; depth: number } {
  const month = Number(firstDay.slice(5, 7));
  const depth = Math.abs(Number(Math.cos((2 * Math.PI * (month - 7)) / 12).toFixed(6)));
  return { halfYear: month >= 4 && month <= 9 ? 'S' : 'W', depth };
}

/** Fits the effects of a step; the spread of an effect falls with the flights of the group that took the step. */
function fitStep(step: OutcomeStep, cells: Cells, routes: Routes): Fit[] {
  const kinds = OUTCOME_KINDS[step];
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
    ...fitStep('diverted', cells, routes),
  ]);
}

/** Log-odds of a diversion where no source marks diversions: 0.23 %, the share in BTS's table from 2018 to 2025. */
const UNKNOWN_DIVERSIONS = logit(0.0023);

async function saveFits(db: Database, step: OutcomeStep, fits: Fit[]): Promise<void> {
  await db.append('outcome_fits', [
    fits.map(() => step),
    fits.map(({ kind }) => kind),
    fits.map(({ key }) => key),
    fits.map(({ effect }) => effect),
    fits.map(({ spread }) => spread),
  ]);
}
