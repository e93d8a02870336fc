import { sum } from '../ground/sum.ts';
import type { FlightForm } from '../../pipelines/flights/form.ts';
import type { Comparison, MonthExtent, StagedMonth } from '../../pipelines/flights/types.ts';
import { openDatabase, type Database } from '../connect.ts';
import { isIntact, lakeFilePath, type SourceRef } from '../lake/lake.ts';
import { currentManifest } from '../lake/place-month.ts';
import type { AnyManifest, MonthRef } from '../lake/versions.ts';
import { treeOf } from './tree.ts';

/** Fewest flights of an airline at an airport for which the loss of half of them is counted. */
const LEAST_GROUP = 100;

/** Counts the flights of a source by route and day, for the comparisons of its months. */
export async function countStaged(db: Database, { kind }: Pick<FlightForm, 'kind'>) {
  await db.runFile('compare/tables');
  await db.runFile(`compare/staged_${kind}`);
}

/**
 * Compares the month in the lake with the staged month. Returns undefined if the lake lacks the month or the files of
 * the month are damaged. In that case there is nothing to protect, and the new source repairs the month.
 */
export async function compareMonth(
  db: Database,
  lakeDir: string,
  form: FlightForm,
  staged: StagedMonth,
  source: SourceRef,
): Promise<Comparison | undefined> {
  const tree = treeOf(form);
  const manifest = await currentManifest(lakeDir, { month: staged.month, tree });
  if (!manifest || !(await isIntact(lakeDir, manifest, tree))) return undefined;
  await countCurrent(db, lakeDir, manifest);
  const row = await readComparison(db, staged.month);
  const rowsStaged = staged.rowsRead - (staged.rowsEmpty ?? 0) - sum(Object.values(staged.rejects));
  return {
    current: {
      ...extent(manifest.source, manifest.rows.loaded, row.current),
      sha256: manifest.source.sha256,
      isSingle: 'flights' in manifest.files,
    },
    staged: { ...extent(source, rowsStaged, row.staged), isSingle: form.kind === 'flights' },
    uncovered: row.uncovered,
    lostAirlines: row.lostAirlines,
    losses: row.losses,
    departureHours: { current: row.current.timed, staged: row.staged.timed },
    arrivals: { current: row.current.arrivals, staged: row.staged.arrivals },
  };
}

/** Reads the extent of a month in the lake; undefined if the lake has no month with intact files. */
export async function readLakeExtent(
  lakeDir: string,
  { month, tree }: MonthRef,
): Promise<MonthExtent | undefined> {
  const manifest = await currentManifest(lakeDir, { month, tree });
  if (!manifest || !(await isIntact(lakeDir, manifest, tree))) return undefined;
  const db = await openDatabase({ threads: 1 });
  try {
    await db.runFile('compare/tables');
    await countCurrent(db, lakeDir, manifest);
    const { current } = await readComparison(db, month);
    return extent(manifest.source, manifest.rows.loaded, current);
  } finally {
    db.close();
  }
}

/** Columns of one side of the comparison; `timed` and `arrivals` are shares of the flights on that side. */
type Side = {
  flights: number;
  days: number;
  airports: number;
  airlines: number;
  timed: number;
  arrivals: number;
};

type ComparisonRow = { current: Side; staged: Side } & Pick<
  Comparison,
  'uncovered' | 'lostAirlines' | 'losses'
>;

/** Counts the flights of the current version of a month by route and day. */
async function countCurrent(db: Database, lakeDir: string, { month, files }: AnyManifest) {
  const firstDay = `${month}-01`;
  if ('delayCauses' in files) {
    const delayCauses = lakeFilePath(lakeDir, month, files.delayCauses, 'levels');
    await db.runFile('compare/current_delay_causes', { month: firstDay, delayCauses });
    return;
  }
  const routeHours = lakeFilePath(lakeDir, month, files.routeHours);
  await db.runFile('compare/current_flights', { month: firstDay, routeHours });
  if (files.flights) {
    const flights = lakeFilePath(lakeDir, month, files.flights);
    await db.runFile('compare/current_days', { month: firstDay, flights });
  } else if (files.airportDays) {
    const airportDays = lakeFilePath(lakeDir, month, files.airportDays);
    await db.runFile('compare/current_airport_days', { month: firstDay, airportDays });
  }
}

async function readComparison(db: Database, month: string): Promise<ComparisonRow> {
  const [row] = await db.fileRows<ComparisonRow>('compare/month_comparison', {
    month: `${month}-01`,
    leastGroup: LEAST_GROUP,
  });
  if (!row) throw new TypeError('the comparison of a month has one row');
  return row;
}

function extent(
  { name, form }: Pick<SourceRef, 'name' | 'form'>,
  rows: number,
  { flights, days, airports, airlines }: Side,
): MonthExtent {
  return { source: name, form, rows, flights, days, airports, airlines };
}
