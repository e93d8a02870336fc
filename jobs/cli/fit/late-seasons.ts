import path from 'node:path';
import { logit } from '../../../warehouse/ground/log-odds.ts';
import { round, sum } from '../../../warehouse/ground/numbers.ts';
import { fileSha256, sha256 } from '../../../warehouse/ground/hashes.ts';
import { openDatabase } from '../../../warehouse/connect.ts';
import { LATE_STEPS, type LateStep } from '../../../warehouse/build/late-steps.ts';
import { table } from '../tables.ts';
import { outcomeDays, type OutcomeDay } from './outcome-days.ts';
import { saveText } from './save-weather.ts';
import { WEATHER_SOURCES } from './weather-days.ts';

const ROOT = path.join(import.meta.dirname, '../../..');
const PARAMETERS_FILE = path.join(ROOT, 'warehouse/build/late-seasons.json');
const SEED_FILES = ['delay_causes', 'route_hours'].map((name) => `warehouse/seed/${name}.parquet`);
const [CAUSES = '', ROUTE_HOURS = ''] = SEED_FILES;

/** Years of the pandemic, which are left out because their months are unlike those of other years. */
const PANDEMIC = [2020, 2021];

/**
 * Minimum slope, in standard errors. A smaller slope is set to 0, because the step to this delay has no clear season.
 */
const MIN_ERRORS = 2;

/** Standard deviation of single months around the usual season, in log-odds. */
const MONTH_DEVIATION = 0.15;

/**
 * Variance of the number of delayed flights in a month, divided by the variance that independent flights would have.
 * The flights of a month share their weather, so they are not independent.
 */
const OVERDISPERSION = 4;

/** Completed flights of a group of airports in one month, by delay. */
export type SeasonMonth = Pick<
  OutcomeDay,
  'completed' | 'late15' | 'late30' | 'late60' | 'late120' | 'late180' | 'late360'
> & {
  /** Name of the group. Months of different groups are not compared. */
  group: string;
  /** 1 to 12. */
  month: number;
};

/**
 * For each step to a longer delay: the number of flights that could become this late, and the number of flights that
 * did.
 */
const TAKES: Record<LateStep, (month: SeasonMonth) => [from: number, took: number]> = {
  late15: (month) => [month.completed - month.late30, month.late15 - month.late30],
  late60: (month) => [month.late30, month.late60],
  late120: (month) => [month.late60, month.late120],
  late180: (month) => [month.late120, month.late180],
  late360: (month) => [month.late180, month.late360],
};

/**
 * Fits how the frequency of long delays changes over the year, and prints the fit. With `write`, also saves the fit.
 * The delay-cause table covers many years. It gives the usual season: by how much each month of the year raises or
 * lowers the log-odds of delays of at least 15 minutes. Records of flights then show how closely each step to a longer
 * delay follows this season.
 */
export async function fitLateSeasons(dataDir: string, write: boolean): Promise<void> {
  const monthOdds = meanSeason(await tableMonths());
  console.log(
    table(
      ['month', 'log-odds'],
      monthOdds.map((odds, at) => [String(at + 1), odds.toFixed(3)]),
    ),
  );
  const months = [...(await seedMonths()), ...monthsOf(await outcomeDays(dataDir))];
  const fits = LATE_STEPS.map((step) => ({ step, ...slopeOf(step, months, monthOdds) }));
  console.log(
    table(
      ['step', 'slope', 'standard error', 'without each group'],
      fits.map(({ step, slope, error, others }) => [
        step,
        slope.toFixed(2),
        error.toFixed(2),
        `${Math.min(...others).toFixed(2)} to ${Math.max(...others).toFixed(2)}`,
      ]),
    ),
  );
  if (!write) return;
  const files = WEATHER_SOURCES.map(({ flights }) => path.join(dataDir, flights));
  const content = {
    monthOdds: monthOdds.map((odds) => round(odds, 3)),
    slopes: Object.fromEntries(
      fits.map(({ step, slope, error }) => [
        step,
        slope > MIN_ERRORS * error ? round(slope, 3) : 0,
      ]),
    ),
    provenance: {
      command: 'npm run fit -- seasons --write',
      sources: await Promise.all(
        [...SEED_FILES.map((file) => path.join(ROOT, file)), ...files].map(async (file) => ({
          file: path.basename(file),
          sha256: await fileSha256(file),
        })),
      ),
    },
  };
  const seal = sha256(JSON.stringify(content));
  await saveText(PARAMETERS_FILE, `${JSON.stringify({ ...content, seal }, null, 2)}\n`);
  console.log(`written to ${PARAMETERS_FILE}`);
}

type TableMonth = { year: number; month: number; flights: number; late: number };

/**
 * Returns the usual season. For each month of the year, takes its log-odds minus the mean log-odds of its year, and
 * averages these differences over all complete years.
 */
export function meanSeason(months: TableMonth[]): number[] {
  const years = [...Map.groupBy(months, ({ year }) => year).values()]
    .filter((one) => one.length === 12)
    .map((year) => {
      const odds = year
        .toSorted((a, b) => a.month - b.month)
        .map(({ flights, late }) => logit(late / flights));
      return odds.map((value) => value - sum(odds) / odds.length);
    });
  return Array.from(
    { length: 12 },
    (_, month) => sum(years.map((year) => year[month] as number)) / years.length,
  );
}

/**
 * Fits how the log-odds of a step depend on the usual season. Returns the slope and its standard error. For each group,
 * `others` contains the slope that is fitted without the months of this group.
 */
export function slopeOf(step: LateStep, months: SeasonMonth[], monthOdds: number[]) {
  const parts = [...Map.groupBy(months, ({ group }) => group).values()].map((group) => {
    const rows = group.flatMap((one) => {
      const [from, took] = TAKES[step](one);
      if (from === 0) return [];
      const rate = (took + 0.5) / (from + 1);
      const noise = MONTH_DEVIATION ** 2 + OVERDISPERSION / (from * rate * (1 - rate));
      return { x: monthOdds[one.month - 1] as number, y: logit(rate), weight: 1 / noise };
    });
    const total = sum(rows.map(({ weight }) => weight));
    const mean = (value: (row: (typeof rows)[number]) => number) =>
      sum(rows.map((row) => row.weight * value(row))) / total;
    const [meanX, meanY] = [mean(({ x }) => x), mean(({ y }) => y)];
    return {
      xx: sum(rows.map(({ x, weight }) => weight * (x - meanX) ** 2)),
      xy: sum(rows.map(({ x, y, weight }) => weight * (x - meanX) * (y - meanY))),
    };
  });
  const [xx, xy] = [sum(parts.map((one) => one.xx)), sum(parts.map((one) => one.xy))];
  return {
    slope: xy / xx,
    error: 1 / Math.sqrt(xx),
    others: parts.map((one) => (xy - one.xy) / (xx - one.xx)),
  };
}

/** Adds up the days of each month at each airport. */
function monthsOf(days: OutcomeDay[]): SeasonMonth[] {
  const months = Map.groupBy(days, ({ airport, date }) => airport + date.slice(0, 7));
  return [...months.values()].map((group) => {
    const [first] = group as [OutcomeDay];
    const total = (key: keyof Omit<SeasonMonth, 'group' | 'month'>) =>
      sum(group.map((day) => day[key]));
    return {
      group: `${first.airport} ${first.date.slice(0, 4)}`,
      month: Number(first.date.slice(5, 7)),
      completed: total('completed'),
      late15: total('late15'),
      late30: total('late30'),
      late60: total('late60'),
      late120: total('late120'),
      late180: total('late180'),
      late360: total('late360'),
    };
  });
}

function tableMonths(): Promise<TableMonth[]> {
  return readSeed(
    CAUSES,
    `select year, month, sum(arr_flights) as flights, sum(arr_del15) as late
     from read_parquet($file) where year not in (${PANDEMIC.join(', ')}) group by all order by all`,
  );
}

/** Returns months of the bundled history. Uses only the years for which the source counts all delays. */
function seedMonths(): Promise<SeasonMonth[]> {
  return readSeed(
    ROUTE_HOURS,
    `select year(month)::varchar as "group", month(month) as month, sum(completed_count) as completed,
       sum(delayed15_count) as late15, sum(delayed_count) as late30, sum(delayed60_count) as late60,
       sum(delayed120_count) as late120, sum(delayed180_count) as late180, sum(delayed360_count) as late360
     from read_parquet($file) where year(month) in (2018, 2024, 2025)
     group by all having count(delayed360_count) > 0 order by all`,
  );
}

async function readSeed<Row extends Record<string, string | number>>(
  file: string,
  query: string,
): Promise<Row[]> {
  const db = await openDatabase();
  try {
    return await db.rows<Row>(query, { file: path.join(ROOT, file) });
  } finally {
    db.close();
  }
}
