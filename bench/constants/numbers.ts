import { pairedFigures, type PairedCase } from '../../models/evaluate/paired.ts';
import { shiftToObservedLevel } from '../../models/evaluate/log-loss.ts';
import { table } from '../../jobs/cli/tables.ts';
import type { Database } from '../../warehouse/connect.ts';
import { sum } from '../../warehouse/ground/numbers.ts';
import { NUMBER_SETS, withNumberCases } from './number-sets.ts';

/**
 * Groups of flights of an airline on a route: with the same number, at the same scheduled minute, or in the same hour.
 * The record of the group is added to the forecast. The last two kinds show whether the number itself matters.
 */
const GROUPS = { number: 'number', minute: 'crs_dep_time', hour: 'hour' };
type GroupName = keyof typeof GROUPS;

/** Prior strengths of the effect of a group, in delayed flights. */
const STRENGTHS = [5, 10, 25, 50];

const BASES = ['statistics', 'model'] as const;
type Base = (typeof BASES)[number];

type Result = {
  set: string;
  cut: string;
  base: Base;
  group: GroupName;
  strength: number;
  n: number;
  known: number;
  auc: { theirs: number; difference: number; noise: number };
  loss: { theirs: number; difference: number; noise: number };
  better: number;
  airportMonths: number;
};

/**
 * Prints, for each set and cut, by how much the record of a flight number improves forecasts of unseen flights. The
 * figures are AUC and log loss in 1/10,000 nat per flight, with one standard error over days. Also counts the
 * airport-months with at least 100 flights in which the log loss is lower.
 */
export async function compareNumbers(dataDir: string, names: string[]): Promise<void> {
  const chosen = NUMBER_SETS.filter(({ name }) => names.length === 0 || names.includes(name));
  for (const set of chosen) {
    const results: Result[] = [];
    await withNumberCases(dataDir, set, async (db, cut) => {
      await db.runFile('effects/groups', { known_at: '[]' });
      for (const base of BASES) {
        for (const group of Object.keys(GROUPS) as GroupName[]) {
          for (const strength of group === 'number' ? STRENGTHS : [10]) {
            const rows = await forecastRows(db, { base, group, strength });
            if (rows.length === 0) continue;
            results.push({ set: set.name, cut, base, group, strength, ...measure(rows) });
          }
        }
      }
    });
    console.log(resultTable(results));
  }
}

type Row = {
  airport: string;
  day: string;
  flights: number;
  delayed: number;
  rate: number;
  own: number;
};

function forecastRows(
  db: Database,
  { base, group, strength }: { base: Base; group: GroupName; strength: number },
): Promise<Row[]> {
  return db.rows<Row>(forecastSql(base, GROUPS[group]), { strength });
}

/**
 * Fits an effect like the other effects: the logarithm of actual delays divided by expected delays, with the prior
 * strength added to both. Each month before the cut has its own level. Recent months have more weight.
 */
const forecastSql = (base: Base, key: string) => `
  with history as (
    select *, ${base} as log_odds from cases where not is_test and ${base} is not null
  ),
  levels as (
    select age, logit((count(*) filter (where is_late) + 0.5) / (count(*) + 1)) - logit(avg(expit(log_odds))) as shift
    from history group by all
  ),
  effects as (
    select carrier, origin, dest, ${key} as key,
      ln((sum(recency_weight(age) * is_late::integer) + $strength)
        / (sum(recency_weight(age)::double * expit(log_odds + shift)) + $strength)) as effect
    from history inner join levels using (age)
    where ${key} is not null
    group by all
  )
  select cases.origin as airport, day::varchar as day, count(*)::double as flights,
    count(*) filter (where is_late)::double as delayed,
    expit(${base}) as rate, expit(${base} + coalesce(effect, 0)) as own
  from cases
  left join effects on effects.carrier = cases.carrier and effects.origin = cases.origin
    and effects.dest = cases.dest and effects.key = cases.${key}
  where is_test and ${base} is not null
  group by all`;

function measure(rows: Row[]): Omit<Result, 'set' | 'cut' | 'base' | 'group' | 'strength'> {
  const cases = leveled(rows);
  const { auc, logLoss, n } = pairedFigures(cases);
  const months = Map.groupBy(cases, ({ airport, cluster }) => `${airport} ${cluster.slice(0, 7)}`);
  const large = [...months.values()].filter(
    (part) => sum(part.map(({ flights }) => flights)) >= 100 && part.some((one) => one.delayed > 0),
  );
  return {
    n,
    known: sum(rows.map((row) => (row.rate === row.own ? 0 : row.flights))) / n,
    auc,
    loss: logLoss,
    better: large.filter((part) => pairedFigures(part).logLoss.difference < 0).length,
    airportMonths: large.length,
  };
}

/** Shifts both forecasts to the actual level of each month, so that only the differences between flights matter. */
function leveled(rows: Row[]): (PairedCase & { airport: string })[] {
  return [...Map.groupBy(rows, ({ day }) => day.slice(0, 7)).values()].flatMap((month) => {
    const [theirs, ours] = (['rate', 'own'] as const).map((forecast) =>
      shiftToObservedLevel(
        month.map((row) => ({ completed: row.flights, delayed: row.delayed, rate: row[forecast] })),
      ),
    );
    return month.map(({ airport, day, flights, delayed }, at) => ({
      ...{ airport, cluster: day, flights, delayed },
      ours: ours?.[at]?.rate as number,
      theirs: theirs?.[at]?.rate as number,
    }));
  });
}

function resultTable(results: Result[]): string {
  return table(
    [
      'set',
      'cut',
      'base',
      'group',
      'strength',
      'flights',
      'known',
      'AUC',
      'log loss',
      'AUC gain',
      'log loss gain',
      'better in',
    ],
    results.map((one) => [
      one.set,
      one.cut,
      one.base,
      one.group,
      String(one.strength),
      String(one.n),
      `${(100 * one.known).toFixed(0)} %`,
      one.auc.theirs.toFixed(4),
      one.loss.theirs.toFixed(5),
      `${signed(one.auc.difference, 4)} ± ${one.auc.noise.toFixed(4)}`,
      `${signed(1e4 * one.loss.difference, 1)} ± ${(1e4 * one.loss.noise).toFixed(1)}`,
      `${one.better} of ${one.airportMonths}`,
    ]),
  );
}

function signed(value: number, digits: number): string {
  return `${value > 0 ? '+' : ''}${value.toFixed(digits)}`;
}
