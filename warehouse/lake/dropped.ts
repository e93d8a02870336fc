import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ensureDir, readIfExists } from '../ground/files.ts';
import type { Period } from '../ground/period.ts';
import { writeAtomically } from '../ground/temporary.ts';
import { readValidManifest } from './lake.ts';
import {
  listMonthsWithVersions,
  listVersions,
  periodOf,
  versionsDir,
  type AnyManifest,
  type MonthRef,
} from './versions.ts';

/** File that marks a dropped month of which no version is kept. It states how many months were dropped. */
const MARKER = 'dropped.json';

/** Marks a dropped month of which no version is kept. Schedules do not load a dropped month again. */
export async function markDropped(
  lakeDir: string,
  ref: MonthRef,
  manifest: AnyManifest | undefined,
): Promise<void> {
  const folder = versionsDir(lakeDir, ref);
  await ensureDir(folder);
  const text = JSON.stringify({ periodMonths: periodOf(manifest) });
  await writeAtomically(path.join(folder, MARKER), (temporary) => writeFile(temporary, text));
}

/**
 * Lists the months of flights that an operator dropped and that no file has replaced since. Such a month has a former
 * version or a marker, but the lake does not have the month.
 */
export async function listDropped(lakeDir: string): Promise<Omit<Period, 'provider'>[]> {
  const refs = await listMonthsWithVersions(lakeDir);
  const dropped = await Promise.all(
    refs
      .filter(({ tree }) => tree === 'flights')
      .map(async (ref) => {
        if (await readValidManifest(lakeDir, ref.month)) return [];
        const [last] = await listVersions(lakeDir, ref, undefined);
        const periodMonths = last ? periodOf(last.manifest) : await readMarker(lakeDir, ref);
        return [{ month: ref.month, ...(periodMonths === 12 && { periodMonths }) }];
      }),
  );
  return dropped.flat();
}

async function readMarker(lakeDir: string, ref: MonthRef): Promise<12 | undefined> {
  const text = await readIfExists(path.join(versionsDir(lakeDir, ref), MARKER));
  if (!text) return undefined;
  return (JSON.parse(text.toString()) as { periodMonths?: 12 }).periodMonths;
}
