import { stat } from 'node:fs/promises';
import path from 'node:path';
import { sum } from '../ground/numbers.ts';
import { type FlightForm, treeOf } from './form.ts';
import type { StagedMonth } from './staged-month.ts';
import {
  type SourceRef,
  monthDir,
  type LakeFile,
  type MonthFiles,
  type MonthManifest,
} from '../lake/lake.ts';
import { readSql, type Database } from '../connect.ts';
import { isCounts } from './stage.ts';
import { fileSha256 } from '../ground/hashes.ts';
import type { LevelManifest } from '../lake/level-lake.ts';
import { placeMonth, type PlaceOptions } from '../lake/place-month.ts';
import { ensureDir, publishFile, syncPath } from '../ground/files.ts';
import { withTemporary } from '../ground/temporary.ts';

export type WriteContext = PlaceOptions & {
  db: Database;
  codeVersion: string;
  form: FlightForm;
  source: SourceRef;
  sourceRows: number;
  /**
   * If set, only this file and the route hours are written for a month of flights. If absent, all files are written.
   */
  onlyFile?: keyof MonthFiles;
};

/** Writes the staged rows of a month and replaces the whole month with them. */
export async function writeMonth(context: WriteContext, staged: StagedMonth): Promise<void> {
  if (context.form.kind === 'delay_causes') {
    await writeDelayCauses(context, staged);
  } else {
    await writeFlights(context, staged);
  }
}

async function writeFlights(context: WriteContext, staged: StagedMonth): Promise<void> {
  const { db, lakeDir, form, onlyFile } = context;
  const folder = monthDir(lakeDir, staged.month);
  await ensureDir(folder);
  const hasFlights = form.kind === 'flights';
  const isIncluded = (kind: keyof MonthFiles) => onlyFile === undefined || onlyFile === kind;
  const write = (model: string, kind: string) => writeModel(db, folder, staged.month, model, kind);
  const files: MonthFiles = {
    ...(hasFlights &&
      isIncluded('flights') && { flights: await write('month_flights', 'flights') }),
    routeHours: await write(routeHoursModel(form), 'route_hours'),
    ...(form.calendar === 'date' &&
      isIncluded('airportDays') && {
        airportDays: await write('month_airport_days', 'airport_days'),
      }),
    ...(hasFlights &&
      isIncluded('airportHours') && {
        airportHours: await write('month_airport_hours', 'airport_hours'),
      }),
    ...(Object.keys(staged.rejects).length > 0 && {
      rejects: await write(rejectsModel(context), 'rejects'),
    }),
  };
  const ref = { month: staged.month, tree: 'flights' } as const;
  await placeMonth(ref, await buildManifest(context, staged, files), context);
}

async function writeDelayCauses(context: WriteContext, staged: StagedMonth): Promise<void> {
  const { db, lakeDir, source, sourceRows, codeVersion, now } = context;
  const { month, rowsRead: read, rowsEmpty: empty = 0, rejects } = staged;
  const folder = monthDir(lakeDir, month, 'levels');
  await ensureDir(folder);
  const delayCauses = await writeModel(db, folder, month, 'month_delay_causes', 'delay_causes');
  const files = {
    delayCauses,
    ...(Object.keys(rejects).length > 0 && {
      rejects: await writeModel(db, folder, month, 'month_rejects', 'rejects'),
    }),
  };
  const { rows: loaded } = delayCauses;
  const rejected = checkCounts(source.name, staged, loaded + empty, files.rejects);
  const manifest: LevelManifest = {
    month,
    source,
    rows: { read, loaded, empty, rejected },
    rejects,
    files,
    sourceRows,
    codeVersion,
    extractedAt: now().toISOString(),
  };
  await placeMonth({ month, tree: 'levels' }, manifest, context);
}

/**
 * Writes the rejected rows of a month, without a manifest, and returns the path of the file. If `month` is undefined,
 * writes the rows whose month is unknown.
 */
export async function writeQuarantine(
  context: WriteContext,
  month: string | undefined,
): Promise<string> {
  const { lakeDir, form } = context;
  const tree = treeOf(form);
  const folder = month ? monthDir(lakeDir, month, tree) : path.join(lakeDir, tree);
  await ensureDir(folder);
  const kind = month ? 'rejects' : 'undated';
  const { name } = await writeModel(context.db, folder, month, rejectsModel(context), kind);
  await syncPath(folder);
  return path.join(folder, name);
}

/**
 * Writes the rows of a model into a file whose name contains a hash of its content. A file that a manifest names
 * therefore never changes.
 */
async function writeModel(
  db: Database,
  folder: string,
  month: string | undefined,
  model: string,
  kind: string,
): Promise<LakeFile> {
  const select = await readSql(`lake/${model}`);
  return withTemporary(folder, async (temporary) => {
    const [copied] = await db.rows<{ Count: number }>(
      `copy (${select}) to $file (format parquet, compression zstd)`,
      { month: month ? `${month}-01` : null, file: temporary },
    );
    const { size: bytes } = await stat(temporary);
    const hash = await fileSha256(temporary);
    const name = `${hash.slice(0, 12)}.${kind}.parquet`;
    await publishFile(temporary, path.join(folder, name));
    return { name, rows: copied?.Count ?? 0, bytes, sha256: hash };
  });
}

/**
 * Returns the model for rejected rows. If the source consists of several files, each row includes the name of its file.
 */
function rejectsModel({ source }: Pick<WriteContext, 'source'>): string {
  return source.parts ? 'month_rejects_of_parts' : 'month_rejects';
}

async function buildManifest(
  context: WriteContext,
  staged: StagedMonth,
  files: MonthFiles,
): Promise<MonthManifest> {
  const { db, form, source, sourceRows, codeVersion, now } = context;
  const { month, periodMonths, rowsRead: read, rejects } = staged;
  const isWithoutFlights = form.kind === 'flights' && files.flights === undefined;
  const loaded =
    isWithoutFlights || isCounts(form)
      ? await countGoodRows(db, month, form)
      : (files.flights ?? files.routeHours).rows;
  const rejected = checkCounts(source.name, staged, loaded, files.rejects);
  return {
    month,
    source,
    rows: { read, loaded, rejected },
    rejects,
    delayBasis:
      form.kind === 'flights' || form.delayBasis === 'mixed'
        ? form.delayBasis
        : await readDelayBasis(db, month),
    ...(periodMonths && { periodMonths }),
    files,
    sourceRows,
    codeVersion,
    extractedAt: now().toISOString(),
  };
}

/**
 * Returns the number of rejected rows of a month. Throws if the good and rejected rows that were written do not add up
 * to the rows that were read.
 */
function checkCounts(
  name: string,
  { month, rowsRead, rejects }: StagedMonth,
  good: number,
  rejectsFile: LakeFile | undefined,
): number {
  const rejected = sum(Object.values(rejects));
  if (good + rejected !== rowsRead || (rejectsFile?.rows ?? 0) !== rejected) {
    throw new Error(
      `${name} ${month}: the counts do not match: ${rowsRead} rows were read, ${good} were written and ${rejected} rejected`,
    );
  }
  return rejected;
}

/** Returns the name of the model for the route hours of a month. */
function routeHoursModel(form: FlightForm): string {
  if (form.kind === 'flights') return 'month_staged_route_hours';
  return isCounts(form) ? 'month_route_counts' : 'month_route_hours_as_given';
}

async function countGoodRows(db: Database, month: string, { kind }: FlightForm): Promise<number> {
  const [row] = await db.rows<{ count: number }>(
    `select count(*) as count from checked_${kind} where month = $month::date and reject is null`,
    { month: `${month}-01` },
  );
  return row?.count ?? 0;
}

/**
 * Returns where the delays of a month are measured. In a file of sums, each row states where its delays are measured.
 * If a month has rows of both kinds, the result is departure.
 */
async function readDelayBasis(db: Database, month: string): Promise<MonthManifest['delayBasis']> {
  const [row] = await db.rows<{ basis: MonthManifest['delayBasis'] }>(
    `select max(delay_basis) as basis from checked_route_hours
     where month = $month::date and reject is null`,
    { month: `${month}-01` },
  );
  return row?.basis ?? 'arrival';
}
