import { firstDay } from '../ground/dates.ts';
import { temporaryPath } from '../ground/temporary.ts';
import { loadDelayCausesBefore } from './level-load.ts';
import { buildModels } from './build.ts';
import { openDatabase, type Database } from '../connect.ts';
import { HistoryMissingError } from '../errors.ts';
import { lakeFilePath, readManifests } from '../lake/lake.ts';
import { loadMonth, loadPartOfMonth } from './load.ts';
import { migrate } from './migrate.ts';
import { loadReference } from '../reference/load.ts';
import { exportStore } from '../store/export.ts';
import { INFERRED_DELAYS } from '../store/late-shares.ts';
import type { StoreFiles } from '../store/store-manifest.ts';
import { readTrainingData, type TrainingData } from './training-rows.ts';

/**
 * The score store and the training data of a model as they would have been on a given day, built from the history
 * before that day.
 */
export type Knowledge = {
  store: StoreFiles;
  training: TrainingData;
  /**
   * Whether the newest known month of the delay-cause table is a usual month. Levels ignore unusual months, such as
   * those of a pandemic.
   */
  isUsual: boolean;
};

/** How precise the departure dates of a source are: the day, the weekday and month, or only the month. */
export type DatedBy = 'day' | 'weekday' | 'month';

/** Flights of one airline-route, date and hour, with their outcomes. */
export type Outcome = {
  origin: string;
  dest: string;
  carrier: string;
  /** `YYYY-MM-DD`. If the source has no dates, a day in the middle of the month. */
  flight_date: string;
  dated_by: DatedBy;
  local_hour: number | null;
  completed_count: number;
  /** 15 minutes late or more. */
  delayed15_count: number;
  /** More than 30 minutes late. A count of longer delays is null if the source does not have this count. */
  delayed_count: number;
  delayed45_count: number | null;
  delayed60_count: number;
  delayed90_count: number | null;
  delayed120_count: number;
  delayed180_count: number | null;
  delayed360_count: number | null;
  diverted_count: number;
  cancelled_count: number;
};

/**
 * Limits a history to months that start on or after `from` (`YYYY-MM-DD`), to flights from the airports `origins`, and
 * to flights of the airlines `carriers`. An absent field sets no limit.
 */
export type HistoryPart = { from?: string; origins?: string[]; carriers?: string[] };

/**
 * Builds the store and the training data as they would have been on a day (`YYYY-MM-DD`).
 * - Uses only flights before the day. In the month of that day, flights without a date are left out.
 * - If several lakes have a month, the first lake in the list supplies it.
 * - Leaves out months of the delay-cause table that were published after the day. Uses the seed's calendar days and
 *   evidence for holidays only up to the day before.
 * - `part` restricts the flights, but not the delay-cause table.
 * Throws `HistoryMissingError` if there are no flights before the day.
 */
export async function knowledgeAsOf(
  lakes: string[],
  day: string,
  part?: HistoryPart,
): Promise<Knowledge> {
  const db = await openDatabase({
    memoryLimit: MEMORY_LIMIT,
    tempDir: temporaryPath(lakes[0] ?? '.'),
  });
  try {
    await migrate(db);
    const months = await loadMonthsBefore(db, lakes, day, part);
    if (months === 0) throw new HistoryMissingError(day);
    await loadDelayCausesBefore(db, lakes, day);
    await loadReference(db, new Date(`${day}T00:00:00Z`));
    // Deletes the flight numbers: forecasts do not use them, and a partly loaded month has none. Also deletes reference
    // data that was not known on `day`: brand flights of the year of `day` and of later years, and calendar days and
    // evidence for holidays on or after `day`.
    await db.run(
      `delete from raw.flight_numbers;
       delete from reference.flight_numbers;
       delete from reference.brand_flights where year >= year($day::date);
       delete from reference.calendar_days where flight_date >= $day::date;
       delete from reference.holiday_evidence where flight_date >= $day::date`,
      { day },
    );
    await buildModels(db, () => undefined);
    const store = await exportStore(db, new Date(`${day}T00:00:00Z`));
    const [newest] = await db.rows<{ is_usual: boolean | null }>(NEWEST_MONTH);
    return { store, training: await readTrainingData(db), isUsual: newest?.is_usual ?? true };
  } finally {
    db.close();
  }
}

/**
 * Share of flights over 30 minutes late among the flights that are 15 minutes late or more. Used for sources that count
 * only flights 15 minutes late or more.
 */
const LATE_SHARE = INFERRED_DELAYS.find(({ minutes }) => minutes === 30)?.share ?? null;

/** Above this limit DuckDB writes to disk, so that a training can run beside a worker and an API. */
const MEMORY_LIMIT = '600MB';

const NEWEST_MONTH = `
  select arg_max(is_usual, month) as is_usual
  from intermediate.int_level_months
  where month in (select month from intermediate.int_level_counts where is_whole)`;

/** Loads the months before the day and returns the number of loaded months. */
async function loadMonthsBefore(
  db: Database,
  lakes: string[],
  day: string,
  part?: HistoryPart,
): Promise<number> {
  const { from = '', ...flights } = part ?? {};
  const isLimited = flights.origins !== undefined || flights.carriers !== undefined;
  const seenMonths = new Set<string>();
  let loadedCount = 0;
  for (const lake of lakes) {
    const months = (await readManifests(lake)).map(({ month }) => month);
    const before = months.filter((one) => !seenMonths.has(one) && `${one}-01` < day);
    for (const month of before.filter((one) => `${one}-01` >= from)) {
      const isWhole = firstDay(month, 1) <= day;
      const count =
        isWhole && !isLimited
          ? await loadMonth(db, lake, month)
          : await loadPartOfMonth(db, lake, month, { ...flights, ...(!isWhole && { until: day }) });
      if (count > 0) loadedCount += 1;
    }
    // If this lake has a month, a later lake never supplies it, even if only a part of the month was loaded.
    for (const month of months) seenMonths.add(month);
  }
  return loadedCount;
}

/** Reads the outcomes of flights that departed in `[from, until)`. Both limits are days, `YYYY-MM-DD`. */
export async function readOutcomes(lake: string, from: string, until: string): Promise<Outcome[]> {
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
          late_share: LATE_SHARE,
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
