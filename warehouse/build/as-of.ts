import { firstDay } from '../ground/dates.ts';
import { loadDelayCausesBefore } from './level-load.ts';
import { buildModels } from './build.ts';
import { openDatabase, type Database } from '../connect.ts';
import { HistoryMissingError } from '../errors.ts';
import { lakeFilePath, readManifests } from '../lake/lake.ts';
import { loadMonth, loadSomeOfMonth } from './load.ts';
import { migrate } from './migrate.ts';
import { loadReference } from '../reference/load.ts';
import { exportStore } from '../store/export.ts';
import type { StoreFiles } from '../store/open.ts';
import { readTraining, type TrainingData } from './training-rows.ts';

/** What was known on a day: the score store of its history, and what a model could be trained on. */
export type Knowledge = {
  store: StoreFiles;
  training: TrainingData;
  /** Whether the newest month of the delay-cause table is no month of a pandemic, which levels leave out. */
  isUsual: boolean;
};

/** What a source tells of when a flight left: its day, its month and weekday, or its month alone. */
export type DatedBy = 'day' | 'weekday' | 'month';

/** Flights of one airline-route, date and hour that left from a day on, and what became of them. */
export type Outcome = {
  origin: string;
  dest: string;
  carrier: string;
  /** `YYYY-MM-DD`; where the source does not tell the day, one in the middle of the month. */
  flight_date: string;
  dated_by: DatedBy;
  local_hour: number | null;
  completed_count: number;
  delayed_count: number;
  cancelled_count: number;
};

/** A part of a history: from a day (`YYYY-MM-DD`) on, from some airports, of some airlines; absent: all. */
export type HistoryPart = { from?: string; origins?: string[]; carriers?: string[] };

/**
 * Everything as it would have been on a day (`YYYY-MM-DD`), from the months before it and, where flights have dates,
 * from the days before it of its own month: of the lakes in order, the first that holds a month. Of the delay-cause table
 * it takes what was out by then. The days of the seed's calendar from then on are left out as well. With `part`, had the
 * lakes only held those flights; the table stays whole.
 * Throws `HistoryMissingError` where there are no flights before the day.
 */
export async function knowledgeAsOf(
  lakes: string[],
  day: string,
  part?: HistoryPart,
): Promise<Knowledge> {
  const db = await openDatabase();
  try {
    await migrate(db);
    const months = await loadMonthsBefore(db, lakes, day, part);
    if (months === 0) throw new HistoryMissingError(day);
    await loadDelayCausesBefore(db, lakes, day);
    await loadReference(db, new Date(`${day}T00:00:00Z`));
    await db.run('delete from reference.calendar_days where flight_date >= $day::date', { day });
    await buildModels(db, () => undefined);
    const store = await exportStore(db, new Date(`${day}T00:00:00Z`));
    const [newest] = await db.rows<{ is_usual: boolean | null }>(NEWEST_MONTH);
    return { store, training: await readTraining(db), isUsual: newest?.is_usual ?? true };
  } finally {
    db.close();
  }
}

const NEWEST_MONTH = `
  select arg_max(is_usual, month) as is_usual
  from intermediate.int_level_months
  where month in (select month from intermediate.int_level_counts where is_whole)`;

/** Returns how many months were loaded. */
async function loadMonthsBefore(
  db: Database,
  lakes: string[],
  day: string,
  part?: HistoryPart,
): Promise<number> {
  const { from = '', ...flights } = part ?? {};
  const taken = new Set<string>();
  let loaded = 0;
  for (const lake of lakes) {
    const months = (await readManifests(lake)).map(({ month }) => month);
    const before = months.filter((one) => !taken.has(one) && `${one}-01` < day);
    for (const month of before.filter((one) => `${one}-01` >= from)) {
      const isWhole = firstDay(month, 1) <= day;
      const count =
        isWhole && !part
          ? await loadMonth(db, lake, month)
          : await loadSomeOfMonth(db, lake, month, { ...flights, ...(!isWhole && { until: day }) });
      if (count > 0) loaded += 1;
    }
    // A month of which the lake holds a part is not taken from the next one either.
    for (const month of months) taken.add(month);
  }
  return loaded;
}

/** The flights of the lake that left in `[from, until)`, days as `YYYY-MM-DD`. */
export async function outcomesOf(lake: string, from: string, until: string): Promise<Outcome[]> {
  const db = await openDatabase();
  try {
    const outcomes: Outcome[] = [];
    for (const { month, files, delayBasis } of await readManifests(lake)) {
      if (firstDay(month, 1) <= from || `${month}-01` >= until) continue;
      const rows = await db.fileRows<Outcome>(
        files.flights ? 'training/outcomes' : 'training/outcomes_of_hours',
        {
          file: lakeFilePath(lake, month, files.flights ?? files.routeHours),
          month: `${month}-01`,
          delay_basis: delayBasis,
          from,
        },
      );
      for (const row of rows) if (row.flight_date < until) outcomes.push(row);
    }
    return outcomes;
  } finally {
    db.close();
  }
}
