import { rm } from 'node:fs/promises';
import { DAY_MS, dateAt } from '../ground/dates.ts';
import type { ExtractDeps } from './extract-deps.ts';
import { type FlightForm, treeOf } from './form.ts';
import type { StagedMonth } from './staged-month.ts';
import { openDatabase, type Database } from '../connect.ts';
import { sum } from '../ground/numbers.ts';
import { judgeMonths } from './judge-months.ts';
import { compareMonth, countStaged, countStagedDays } from './replacement.ts';
import { inspect } from './inspect.ts';
import type { JsonTable } from './json-table.ts';
import { HOME_PROVIDER, providerLakeDir } from '../paths.ts';
import { stagePartRows, stageRows } from './stage.ts';
import { writeMonth, writeQuarantine } from './write.ts';
import {
  isIntact,
  readManifests,
  readValidManifest,
  type LakeTree,
  type MonthFiles,
  type SourceRef,
} from '../lake/lake.ts';
import { readLevelManifests, readValidLevelManifest } from '../lake/level-lake.ts';
import { isDropped } from '../lake/dropped.ts';
import { currentManifest, MAX_MONTH_VERSIONS } from '../lake/place-month.ts';
import type { MonthRef } from '../lake/versions.ts';
import path from 'node:path';
import { ensureDir, readIfExists } from '../ground/files.ts';
import { removeLeftovers, temporaryPath } from '../ground/temporary.ts';
import { SourceFormatError } from '../errors.ts';

export type ExtractOptions = {
  lakeDir: string;
  /** Version of the code that reads source files. Months that another version extracted are extracted again. */
  codeVersion: string;
  now?: () => Date;
  /** Number of former versions to keep for each month. */
  keepVersions?: number;
  /**
   * If set, a month of flights gets only this file and the route hours. Set this if no other files are read from the
   * lake.
   */
  onlyFile?: keyof MonthFiles;
  /** Runs `work` while holding the lock of the month, across all machines that share the lake. */
  withMonthLock?: MonthLock;
  /** Converters from the JSON answers of providers to tables. */
  jsonTables?: readonly JsonTable[];
  /** Downloads the files of these months that this machine lacks; absent if all files are local. */
  fetch?: (refs: MonthRef[]) => Promise<void>;
};

/** Runs `work` while holding the lock of a month of a provider. The default provider is the American record. */
export type MonthLock = <T>(ref: MonthRef, work: () => Promise<T>) => Promise<T>;

const MEMORY_LIMIT = '900MB';

/** Creates the functions that `extractFile` needs to turn flight files into months of this lake. */
export function createExtractDeps(options: ExtractOptions): ExtractDeps {
  const { lakeDir, codeVersion, onlyFile, now = () => new Date() } = options;
  const {
    keepVersions = MAX_MONTH_VERSIONS,
    withMonthLock = (_ref, work) => work(),
    fetch,
  } = options;
  const newSpillPath = () => createSpillPath(lakeDir, now);
  const judge = async (db: Database, months: StagedMonth[]) => {
    await fetch?.(months.map(({ month }) => ({ month, tree: 'levels' })));
    return judgeMonths(db, lakeDir, months);
  };
  /** Reads a source into a temporary database. The result has functions that write its months. */
  const staged = async <Read extends { months: StagedMonth[] }>(
    form: FlightForm,
    sourceRows: number,
    read: (db: Database, options: { lastDay: string; tempDir: string }) => Promise<Read>,
  ) => {
    const tempDir = await newSpillPath();
    const db = await openDatabase({ memoryLimit: MEMORY_LIMIT, tempDir });
    const close = async () => {
      db.close();
      await rm(tempDir, { recursive: true, force: true });
    };
    try {
      const stagedRows = await read(db, { lastDay: newestDateAt(now()), tempDir });
      const tree = treeOf(form);
      const isHome = form.provider === HOME_PROVIDER;
      const ownLakeDir = providerLakeDir(lakeDir, form.provider);
      await countStaged(db, form);
      // BTS's table of all flights covers only the American record.
      const months =
        tree === 'levels' || !isHome ? stagedRows.months : await judge(db, stagedRows.months);
      let days: Promise<void> | undefined;
      const countDays = () => (days ??= countStagedDays(db, form));
      const place = { lakeDir: ownLakeDir, keepVersions, now };
      const shared = { ...place, db, codeVersion, form, sourceRows, ...(onlyFile && { onlyFile }) };
      return {
        ...stagedRows,
        months,
        compare: (month: StagedMonth, source: SourceRef) =>
          compareMonth(db, ownLakeDir, form, { month, source, countDays }),
        readCurrentSource: async (month: string) =>
          (await currentManifest(ownLakeDir, { month, tree }))?.source.sha256,
        isDropped: (month: string) => isDropped(ownLakeDir, { month, tree }),
        withMonthLock: <T>(month: string, work: () => Promise<T>) =>
          withMonthLock({ month, tree, ...(!isHome && { provider: form.provider }) }, work),
        writeMonth: (month: StagedMonth, source: SourceRef) =>
          writeMonth({ ...shared, source }, month),
        quarantine: (month: string | undefined, source: SourceRef) =>
          writeQuarantine({ ...shared, source }, month),
        close,
      };
    } catch (error) {
      await close();
      throw error;
    }
  };
  return {
    inspect: (filePath) => inspect(filePath, newSpillPath, options.jsonTables),
    checksumBeside: readChecksumFile,
    findExtracted: (sourceSha256, tree = 'flights', provider = HOME_PROVIDER) =>
      findExtracted(
        { lakeDir: providerLakeDir(lakeDir, provider), codeVersion, fetch },
        sourceSha256,
        tree,
      ),
    stage: (file, form, year) =>
      staged(form, file.rowCount, (db, place) => stageRows(db, file, form, { year, ...place })),
    stageParts: async (parts) => {
      const [first] = parts;
      if (!first) throw new TypeError('no parts');
      const rowCount = sum(parts.map(({ file }) => file.rowCount));
      return staged(first.form, rowCount, (db, place) => stagePartRows(db, parts, place));
    },
  };
}

/**
 * Returns the months of the lake that this code version extracted from a source. Leaves out months whose files are not
 * intact.
 */
async function findExtracted(
  {
    lakeDir,
    codeVersion,
    fetch,
  }: Pick<ExtractOptions, 'lakeDir' | 'codeVersion'> & {
    fetch: ExtractOptions['fetch'] | undefined;
  },
  sourceSha256: string,
  tree: LakeTree,
) {
  const manifests =
    tree === 'levels'
      ? await readLevelManifests(lakeDir, readValidLevelManifest)
      : await readManifests(lakeDir, readValidManifest);
  const sameSource = manifests.filter(
    (manifest) => manifest.source.sha256 === sourceSha256 && manifest.codeVersion === codeVersion,
  );
  await fetch?.(sameSource.map(({ month }) => ({ month, tree })));
  const intact = await Promise.all(sameSource.map((manifest) => isIntact(lakeDir, manifest, tree)));
  return sameSource.filter((_, i) => intact[i]);
}

/** Returns tomorrow's UTC date, because in some time zones tomorrow has already begun. */
function newestDateAt(now: Date): string {
  return dateAt(now.getTime() + DAY_MS);
}

/**
 * Returns a new path in the spill folder of the lake, for a temporary file or folder. First removes temporary files
 * that killed processes left there.
 */
export async function createSpillPath(lakeDir: string, now: () => Date): Promise<string> {
  const folder = path.join(lakeDir, 'spill');
  await ensureDir(folder);
  await removeLeftovers(folder, now());
  return temporaryPath(folder);
}

/**
 * Reads the SHA-256 of a file from `<file>.sha256`, in the format of sha256sum or as the hash alone. Undefined if
 * `<file>.sha256` does not exist. Throws `SourceFormatError` if it has no hash for this file.
 */
async function readChecksumFile(filePath: string): Promise<string | undefined> {
  const name = path.basename(filePath);
  const text = (await readIfExists(`${filePath}.sha256`))?.toString();
  if (text === undefined) return undefined;
  const lines = text.trim().split('\n');
  const ownLine =
    lines.length === 1 ? lines[0] : lines.find((line) => line.trimEnd().endsWith(name));
  const match = /(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/i.exec(ownLine ?? '');
  if (!match) throw new SourceFormatError(name, `${name}.sha256 has no SHA-256 of this file`);
  return match[0].toLowerCase();
}
