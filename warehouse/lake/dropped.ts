import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ensureDir, readIfExists, statIfExists } from '../ground/files.ts';
import type { Period } from '../ground/period.ts';
import { writeAtomically } from '../ground/temporary.ts';
import { monthDir } from './lake.ts';
import {
  listMonthsWithVersions,
  listVersionIds,
  listVersions,
  periodOf,
  versionsDir,
  type AnyManifest,
  type MonthRef,
} from './versions.ts';

/**
 * Name of the file that marks a dropped month if no version of the month is kept. The file states whether the counts of
 * a whole year were dropped.
 */
export const DROPPED_FILE = 'dropped.json';

/** Marks a dropped month of which no version is kept. Schedules do not load a dropped month again. */
export async function markDropped(
  lakeDir: string,
  ref: MonthRef,
  manifest: AnyManifest | undefined,
): Promise<void> {
  const folder = versionsDir(lakeDir, ref);
  await ensureDir(folder);
  const text = JSON.stringify({ periodMonths: periodOf(manifest) });
  await writeAtomically(path.join(folder, DROPPED_FILE), (temporary) => writeFile(temporary, text));
}

/** Whether a month is marked as dropped. If the month was loaded again later, the mark is out of date. */
export async function isMarkedDropped(lakeDir: string, ref: MonthRef): Promise<boolean> {
  return (await statIfExists(path.join(versionsDir(lakeDir, ref), DROPPED_FILE))) !== undefined;
}

/**
 * Whether an operator dropped the month and no file has replaced it since. Such a month has no manifest. Instead, it
 * has a former version, or the file that marks the month as dropped. A month with a damaged manifest is not dropped, so
 * its file may be loaded again.
 */
export async function isDropped(lakeDir: string, ref: MonthRef): Promise<boolean> {
  const manifest = path.join(monthDir(lakeDir, ref.month, ref.tree), 'manifest.json');
  if (await statIfExists(manifest)) return false;
  const ids = await listVersionIds(versionsDir(lakeDir, ref));
  return ids.length > 0 || isMarkedDropped(lakeDir, ref);
}

/** Lists the months of flights that an operator dropped and that no file has replaced since. */
export async function listDropped(lakeDir: string): Promise<Omit<Period, 'provider'>[]> {
  const refs = await listMonthsWithVersions(lakeDir);
  const dropped = await Promise.all(
    refs
      .filter(({ tree }) => tree === 'flights')
      .map(async (ref) => {
        if (!(await isDropped(lakeDir, ref))) return [];
        const [last] = await listVersions(lakeDir, ref, undefined);
        const periodMonths = last ? periodOf(last.manifest) : await readMarker(lakeDir, ref);
        return [{ month: ref.month, ...(periodMonths === 12 && { periodMonths }) }];
      }),
  );
  return dropped.flat();
}

async function readMarker(lakeDir: string, ref: MonthRef): Promise<12 | undefined> {
  const text = await readIfExists(path.join(versionsDir(lakeDir, ref), DROPPED_FILE));
  if (!text) return undefined;
  return (JSON.parse(text.toString()) as { periodMonths?: 12 }).periodMonths;
}
