import { join } from 'node:path';
import { sum } from '../ground/numbers.ts';
import { type FlightForm, treeOf } from './form.ts';
import type { Comparison, MonthExtent, StagedMonth } from './staged-month.ts';
import { openDatabase, readSql, type Database } from '../connect.ts';
import { isIntact, monthDir, type SourceRef } from '../lake/lake.ts';
import { currentManifest } from '../lake/place-month.ts';
import {
  versionsDir,
  type AnyManifest,
  type MonthRef,
  type MonthVersion,
} from '../lake/versions.ts';

/**
 * Minimum number of flights that a group (an airline at an airport) has before a replacement. In smaller groups, the
 * loss of half of the flights is not reported.
 */
const LEAST_GROUP = 100;

/** Counts the flights of a source by route, to judge its months and to compare them with the lake. */
export async function countStaged(db: Database, { kind }: Pick<FlightForm, 'kind'>) {
  await db.runFile('compare/tables');
  if (kind === 'flights') {
    const select = await readSql('lake/month_route_hours');
    await db.run(`create or replace temp table staged_route_hours as ${select}`, { month: null });
  }
  await db.runFile(`compare/staged_${kind}`);
}

/** Counts the flights of a source by day. Only sources of single flights have days. */
export async function countStagedDays(db: Database, { kind }: Pick<FlightForm, 'kind'>) {
  if (kind === 'flights') await db.runFile('compare/staged_days');
}

/**
 * A staged month and its source. `countDays` counts the flights of the source by day. Further calls of `countDays` do
 * nothing.
 */
type ComparedMonth = { month: StagedMonth; source: SourceRef; countDays: () => Promise<void> };

/**
 * Compares the month in the lake with the staged month. Returns undefined if the lake lacks the month, or if the files
 * of the month are damaged. In both cases there is nothing to protect, and the staged month may be written.
 */
export async function compareMonth(
  db: Database,
  lakeDir: string,
  form: FlightForm,
  { month: staged, source, countDays }: ComparedMonth,
): Promise<Comparison | undefined> {
  const tree = treeOf(form);
  const manifest = await currentManifest(lakeDir, { month: staged.month, tree });
  if (!manifest || !(await isIntact(lakeDir, manifest, tree))) return undefined;
  await countDays();
  await countVersion(db, monthDir(lakeDir, staged.month, tree), manifest);
  const row = await readComparison(db, staged.month);
  const rowsStaged = staged.rowsRead - (staged.rowsEmpty ?? 0) - sum(Object.values(staged.rejects));
  return toComparison(row, manifest, {
    ...extent(source, rowsStaged, row.staged),
    isSingle: form.kind === 'flights',
  });
}

/**
 * Compares the month in the lake with a former version that would replace it. Returns undefined in the same cases as
 * `compareMonth`. The files of the former version must be intact.
 */
export async function compareVersion(
  lakeDir: string,
  ref: MonthRef,
  { id, manifest: former }: MonthVersion,
): Promise<Comparison | undefined> {
  const current = await currentManifest(lakeDir, ref);
  if (!current || !(await isIntact(lakeDir, current, ref.tree))) return undefined;
  const db = await openDatabase({ threads: 1 });
  try {
    await db.runFile('compare/tables');
    await countVersion(db, join(versionsDir(lakeDir, ref), id), former);
    await db.runFile('compare/stage_current');
    await countVersion(db, monthDir(lakeDir, ref.month, ref.tree), current);
    const row = await readComparison(db, ref.month);
    const staged = extent(former.source, former.rows.loaded, row.staged);
    return toComparison(row, current, { ...staged, isSingle: 'flights' in former.files });
  } finally {
    db.close();
  }
}

function toComparison(
  row: ComparisonRow,
  manifest: AnyManifest,
  staged: Comparison['staged'],
): Comparison {
  const { source, files } = manifest;
  return {
    current: {
      ...extentOf(manifest, row.current),
      sha256: source.sha256,
      isSingle: 'flights' in files,
    },
    staged,
    uncovered: row.uncovered,
    lostAirlines: row.lostAirlines,
    losses: row.losses,
    departureHours: { current: row.current.timed, staged: row.staged.timed },
    arrivals: { current: row.current.arrivals, staged: row.staged.arrivals },
    brands: { current: row.current.branded, staged: row.staged.branded },
  };
}

/** Reads size and coverage of a month in the lake; undefined if the lake has no intact version of the month. */
export async function readLakeExtent(
  lakeDir: string,
  { month, tree }: MonthRef,
): Promise<MonthExtent | undefined> {
  const manifest = await currentManifest(lakeDir, { month, tree });
  if (!manifest || !(await isIntact(lakeDir, manifest, tree))) return undefined;
  const db = await openDatabase({ threads: 1 });
  try {
    await db.runFile('compare/tables');
    await countVersion(db, monthDir(lakeDir, month, tree), manifest);
    const { current } = await readComparison(db, month);
    return extentOf(manifest, current);
  } finally {
    db.close();
  }
}

/** Figures about one of the two compared versions. `timed`, `arrivals` and `branded` are shares of its flights. */
type Side = {
  flights: number;
  days: number;
  airports: number;
  airlines: number;
  timed: number;
  arrivals: number;
  branded: number;
};

type ComparisonRow = { current: Side; staged: Side } & Pick<
  Comparison,
  'uncovered' | 'lostAirlines' | 'losses'
>;

/** Counts the flights of a version of a month by route and day. `folder` contains the files of the version. */
async function countVersion(db: Database, folder: string, { month, files }: AnyManifest) {
  const firstDay = `${month}-01`;
  if ('delayCauses' in files) {
    const delayCauses = join(folder, files.delayCauses.name);
    await db.runFile('compare/current_delay_causes', { month: firstDay, delayCauses });
    return;
  }
  const routeHours = join(folder, files.routeHours.name);
  await db.runFile('compare/current_flights', { month: firstDay, routeHours });
  if (files.flights) {
    const flights = join(folder, files.flights.name);
    await db.runFile('compare/current_days', { month: firstDay, flights });
  } else if (files.airportDays) {
    const airportDays = join(folder, files.airportDays.name);
    await db.runFile('compare/current_airport_days', { month: firstDay, airportDays });
  }
}

async function readComparison(db: Database, month: string): Promise<ComparisonRow> {
  const [row] = await db.fileRows<ComparisonRow>('compare/month_comparison', {
    month: `${month}-01`,
    leastGroup: LEAST_GROUP,
  });
  if (!row) throw new TypeError('the comparison of a month returned no row');
  return row;
}

/** Returns the size and coverage of a version in the lake. */
function extentOf(manifest: AnyManifest, side: Side): MonthExtent {
  const { source, rows } = manifest;
  const isYear = 'periodMonths' in manifest && manifest.periodMonths === 12;
  return { ...extent(source, rows.loaded, side), ...(isYear && { periodMonths: 12 }) };
}

function extent(
  { name, form }: Pick<SourceRef, 'name' | 'form'>,
  rows: number,
  { flights, days, airports, airlines }: Side,
): MonthExtent {
  return { source: name, form, rows, flights, days, airports, airlines };
}
