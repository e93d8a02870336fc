import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { readManifests, readValidManifest } from '../../../warehouse/lake/lake.ts';
import { providerLakeDir } from '../../../warehouse/paths.ts';
import { CommandError } from '../../errors.ts';
import { findJob } from '../../queue/queues.ts';
import { fileJobs } from '../../queue/requests.ts';
import { hashFile } from '../input-files.ts';
import type { JobSession } from '../session.ts';

/**
 * SHA-256 of every `route_hours.parquet` that shipped before the current file. Months of a former seed are replaced by
 * months of the current seed. Months from other sources stay.
 */
export const FORMER_SEEDS = [
  // The year 2018: sixteen airlines from all airports, and Southwest from all airports but the 29 largest.
  '01ffc0faa0c726553e956561a72d15ce39dd32ffec85c9474592189490900527',
  // A former seed without the counts of flights more than 45, 90, 180 and 360 minutes late.
  'd4bc8c7d32178caca8ee7806f01659b28ed555463b47ccd7fec88c98c694a39d',
];

/** Options of the jobs that load the bundled history. Months that an operator dropped stay dropped. */
export const SEED_OPTIONS = { replaces: FORMER_SEEDS, keepDropped: true };

/** The files of the bundled history to load at this start, with the reason. */
export type SeedDue = { files: string[]; why: 'empty' | 'begun' | 'older' | 'added' };

/**
 * Returns the bundled history if it must be loaded; otherwise undefined. Throws `CommandError` if there is neither a
 * month nor a bundled history. The bundled history must be loaded:
 * - into an empty lake,
 * - after a start that was killed while loading,
 * - in place of an older bundled history,
 * - if it gained records of other providers.
 */
export async function findDueSeed(
  dataDir: string,
  session: JobSession,
  seedFiles: string[],
): Promise<SeedDue | undefined> {
  const files = seedFiles.filter(existsSync);
  const [flights = ''] = seedFiles;
  const lake = join(dataDir, 'lake');
  const isEmpty = !(await hasMonths(lake));
  if (!files.includes(flights)) {
    if (!isEmpty) return undefined;
    throw new CommandError(
      `No flights are loaded, and the bundled history ${basename(flights)} is missing; load a file: make ingest FILE=path`,
    );
  }
  if (isEmpty) return { files, why: 'empty' };
  const sha256s = await Promise.all(
    files.map((file) => hashFile(file, () => undefined, session.signal)),
  );
  for (const sha256 of sha256s) {
    const load = await findJob(session.queues, fileJobs({ sha256, ...SEED_OPTIONS }).load);
    // A start that was killed may have loaded only some of the months.
    if (load !== undefined && !(await load.isCompleted())) return { files, why: 'begun' };
  }
  const manifests = await readManifests(lake, readValidManifest);
  const sources = new Set(manifests.map(({ source }) => source.sha256));
  const isOlder = FORMER_SEEDS.some((former) => sources.has(former));
  if (isOlder && !sources.has(sha256s[0] ?? '')) return { files, why: 'older' };
  if (!sources.has(sha256s[0] ?? '')) return undefined;
  const [, , ...ofProviders] = seedFiles;
  const missing = ofProviders.filter(
    (file) =>
      files.includes(file) && !existsSync(providerLakeDir(lake, basename(file, '.parquet'))),
  );
  return missing.length > 0 ? { files: missing, why: 'added' } : undefined;
}

/** Returns a hint if the lake has only the operator's own months, and not the bundled history. */
export async function missingSeedHint(
  dataDir: string,
  seedFiles: string[],
): Promise<string | undefined> {
  const file = seedFiles.find(existsSync);
  const manifests = await readManifests(join(dataDir, 'lake'), readValidManifest);
  const isLoaded = manifests.some(({ source }) => source.name === basename(file ?? ''));
  if (file === undefined || manifests.length === 0 || isLoaded) return undefined;
  return `The bundled flight history is not loaded, as you have loaded your own months. To add it: make ingest FILE="${file}" PUBLISH=1\n`;
}

/** Returns whether the lake has a month; a damaged month counts too, because it can be repaired. */
async function hasMonths(lake: string): Promise<boolean> {
  const years = await readdir(join(lake, 'flights')).catch(() => []);
  return years.some((name) => name.startsWith('year='));
}
