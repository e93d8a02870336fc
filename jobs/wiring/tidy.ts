import { copyFile, readdir, rm, stat, truncate } from 'node:fs/promises';
import path from 'node:path';
import { DAY_MS } from '../../warehouse/ground/dates.ts';
import { measureBytes, sweepLeftovers, type Removed } from '../../warehouse/ground/temporary.ts';
import { filesOf, monthDir, listMonths, readValidManifest } from '../../warehouse/lake/lake.ts';
import { readValidLevelManifest } from '../../warehouse/lake/level-lake.ts';
import { foldRuns } from '../../warehouse/lake/run-summaries.ts';
import { dataPaths } from '../../warehouse/paths.ts';
import { tryLock } from '../processes/lock.ts';
import { downloadsDir } from './month-steps.ts';
import { isTooBig, shiftOldLogs } from '../processes/child-log.ts';

/** A download or a file of rejected rows may still be incomplete if its last change is more recent than this. */
const WRITING_MS = 60_000;

export type TidyOptions = {
  dataDir: string;
  /** Number of days after which downloads, and the rejected rows of refused files, are removed. 0 means never. */
  keepDays: number;
  /** Number of days after which the runs in the ledger are summed up by month. 0 means never. */
  keepRunDays: number;
  now: () => Date;
};

/** The removed files, the rotated logs, and the number of runs in the ledger that were summed up. */
export type TidyReport = { removed: string[]; rotated: string[]; folded: number };

/**
 * Removes temporary files of processes that have ended, old downloads and old rows of refused files. Sums up old runs
 * of the ledger and rotates large logs. If another worker is tidying the data folder, does nothing.
 */
export async function tidy(options: TidyOptions): Promise<TidyReport> {
  const { dataDir, keepDays, keepRunDays, now } = options;
  const lock = tryLock(path.join(dataDir, 'tidy.lock'));
  if (lock === undefined) return { removed: [], rotated: [], folded: 0 };
  const daysAgo = (days: number) => new Date(now().getTime() - days * DAY_MS);
  try {
    const removed = [
      ...(await sweepLeftovers(dataDir, now())),
      ...(keepDays === 0 ? [] : await removeOld(dataDir, daysAgo(keepDays))),
    ];
    return {
      rotated: await rotateLogs(path.join(dataDir, 'logs')),
      removed: removed.map((file) => file.path),
      folded:
        keepRunDays === 0 ? 0 : await foldRuns(dataPaths(dataDir).runsDir, daysAgo(keepRunDays)),
    };
  } finally {
    lock.release();
  }
}

/**
 * Removes everything that is not needed or can be fetched again: temporary files of processes that have ended,
 * downloads that are not being written, and rows of refused files. Needs neither Redis nor disk space.
 */
export async function removeDispensable(dataDir: string, now: Date): Promise<Removed[]> {
  const until = new Date(now.getTime() - WRITING_MS);
  return [...(await sweepLeftovers(dataDir, now)), ...(await removeOld(dataDir, until))];
}

/** Removes downloads, and rejected rows of refused files, if their last change was before `until`. */
async function removeOld(dataDir: string, until: Date): Promise<Removed[]> {
  const files = [
    ...(await listFiles(downloadsDir(dataDir))).filter((file) => !file.endsWith('.lock')),
    ...(await listRefusedRows(dataPaths(dataDir).lakeDir)),
  ];
  const removed: Removed[] = [];
  for (const file of files) {
    const stats = await stat(file).catch(() => undefined);
    if (!stats?.isFile() || stats.mtime >= until) continue;
    const bytes = await measureBytes(file);
    await rm(file, { force: true });
    removed.push({ path: file, bytes });
  }
  return removed;
}

/**
 * Copies and truncates large logs instead of renaming them, because their writers keep the file open. A line that is
 * written between copy and truncation is lost.
 */
async function rotateLogs(folder: string): Promise<string[]> {
  const rotated: string[] = [];
  for (const file of (await listFiles(folder)).filter((name) => name.endsWith('.log'))) {
    if (!isTooBig(file)) continue;
    shiftOldLogs(file);
    await copyFile(file, `${file}.1`);
    await truncate(file);
    rotated.push(file);
  }
  return rotated;
}

/**
 * Lists files of rejected rows that are not named in any manifest. Such files have the rows of refused files, or rows
 * without a month.
 */
async function listRefusedRows(lakeDir: string): Promise<string[]> {
  const refusedFiles: string[] = [];
  for (const tree of ['flights', 'levels'] as const) {
    const undated = await listFiles(path.join(lakeDir, tree));
    refusedFiles.push(...undated.filter((file) => file.endsWith('.undated.parquet')));
    for (const month of await listMonths(lakeDir, tree)) {
      const folder = monthDir(lakeDir, month, tree);
      const manifest =
        tree === 'levels'
          ? await readValidLevelManifest(lakeDir, month)
          : await readValidManifest(lakeDir, month);
      const manifestNames = manifest ? filesOf(manifest).map(({ name }) => name) : [];
      const rejects = (await listFiles(folder)).filter((file) => file.endsWith('.rejects.parquet'));
      refusedFiles.push(...rejects.filter((file) => !manifestNames.includes(path.basename(file))));
    }
  }
  return refusedFiles;
}

async function listFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.map((name) => path.join(folder, name));
}
