import { copyFile, readdir, rm, stat, truncate } from 'node:fs/promises';
import path from 'node:path';
import { DAY_MS } from '../../warehouse/ground/dates.ts';
import { filesOf, monthDir, monthsIn, soundManifest } from '../../warehouse/lake/lake.ts';
import { soundLevelManifest } from '../../warehouse/lake/level-lake.ts';
import { foldRuns } from '../../warehouse/lake/run-summaries.ts';
import { dataPaths } from '../../warehouse/paths.ts';
import { tryLock } from '../processes/lock.ts';
import { isBig, makeRoom } from '../processes/log-size.ts';
import { downloadsDir } from './month-steps.ts';

export type TidyOptions = {
  dataDir: string;
  /** Days after which downloads and rows of refused files go; 0: never. */
  keepDays: number;
  /** Days after which runs of the ledger are folded into summaries; 0: never. */
  keepRunDays: number;
  now: () => Date;
};

/** Files removed, logs set aside, and runs of the ledger folded. */
export type TidyReport = { removed: string[]; rotated: string[]; folded: number };

/**
 * Removes what nobody looks at any more: old downloads, and old rows of files that were refused. Folds old runs of the ledger, and
 * sets aside logs that grew big, while they are written. Of several workers on a data folder one does it at a time.
 */
export async function tidy(options: TidyOptions): Promise<TidyReport> {
  const { dataDir, keepDays, keepRunDays, now } = options;
  const lock = tryLock(path.join(dataDir, 'tidy.lock'));
  if (lock === undefined) return { removed: [], rotated: [], folded: 0 };
  const daysAgo = (days: number) => new Date(now().getTime() - days * DAY_MS);
  try {
    return {
      rotated: await rotateLogs(path.join(dataDir, 'logs')),
      removed: keepDays === 0 ? [] : await removeOld(dataDir, daysAgo(keepDays)),
      folded:
        keepRunDays === 0 ? 0 : await foldRuns(dataPaths(dataDir).runsDir, daysAgo(keepRunDays)),
    };
  } finally {
    lock.release();
  }
}

async function removeOld(dataDir: string, until: Date): Promise<string[]> {
  const old = [
    ...(await filesIn(downloadsDir(dataDir))).filter((file) => !file.endsWith('.lock')),
    ...(await refusedRows(dataPaths(dataDir).lakeDir)),
  ];
  const removed: string[] = [];
  for (const file of old) {
    const found = await stat(file).catch(() => undefined);
    if (!found?.isFile() || found.mtime >= until) continue;
    await rm(file, { force: true });
    removed.push(file);
  }
  return removed;
}

/** Whoever writes a log goes on with its file: it is copied and emptied. A line written between the two is lost. */
async function rotateLogs(folder: string): Promise<string[]> {
  const rotated: string[] = [];
  for (const file of (await filesIn(folder)).filter((name) => name.endsWith('.log'))) {
    if (!isBig(file)) continue;
    makeRoom(file);
    await copyFile(file, `${file}.1`);
    await truncate(file);
    rotated.push(file);
  }
  return rotated;
}

/** Rejected rows that no manifest counts: of refused files, and those that tell no month. */
async function refusedRows(lakeDir: string): Promise<string[]> {
  const found: string[] = [];
  for (const tree of ['flights', 'levels'] as const) {
    const undated = await filesIn(path.join(lakeDir, tree));
    found.push(...undated.filter((file) => file.endsWith('.undated.parquet')));
    for (const month of await monthsIn(lakeDir, tree)) {
      const folder = monthDir(lakeDir, month, tree);
      const manifest =
        tree === 'levels'
          ? await soundLevelManifest(lakeDir, month)
          : await soundManifest(lakeDir, month);
      const counting = manifest ? filesOf(manifest).map(({ name }) => name) : [];
      const rejects = (await filesIn(folder)).filter((file) => file.endsWith('.rejects.parquet'));
      found.push(...rejects.filter((file) => !counting.includes(path.basename(file))));
    }
  }
  return found;
}

async function filesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.map((name) => path.join(folder, name));
}
