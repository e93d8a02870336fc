import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { FORMER_SEEDS } from '../../../pipelines/seed/former-seeds.ts';
import { readManifests, soundManifest } from '../../../warehouse/lake/lake.ts';
import { CommandError } from '../../errors.ts';
import { findJob } from '../../queue/queues.ts';
import { fileJobs } from '../../queue/requests.ts';
import { hashFile } from '../input-files.ts';
import type { JobSession } from '../session.ts';

/** Options of the jobs that load this history. */
export const SEED_OPTIONS = { replaces: FORMER_SEEDS };

/** The history to load at this start, and why. */
export type SeedDue = { files: string[]; why: 'empty' | 'begun' | 'older' };

/**
 * Whether the history that ships with the code is to be loaded: into an empty lake, where a start was killed while it loaded,
 * and in place of an older one. Undefined otherwise: what a lake holds of one's own is enough. Throws `CommandError`
 * where there is nothing at all.
 */
export async function seedDue(
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
      `No flights are loaded and ${basename(flights)} is missing: make ingest FILE=path`,
    );
  }
  if (isEmpty) return { files, why: 'empty' };
  const sha256s = await Promise.all(
    files.map((file) => hashFile(file, () => undefined, session.signal)),
  );
  for (const sha256 of sha256s) {
    const load = await findJob(session.queues, fileJobs({ sha256, ...SEED_OPTIONS }).load);
    // Some of its months may be in the lake already when a start is killed.
    if (load !== undefined && !(await load.isCompleted())) return { files, why: 'begun' };
  }
  const held = await readManifests(lake, soundManifest);
  const sources = new Set(held.map(({ source }) => source.sha256));
  const isOlder = FORMER_SEEDS.some((former) => sources.has(former));
  return isOlder && !sources.has(sha256s[0] ?? '') ? { files, why: 'older' } : undefined;
}

/** What to say where the lake holds months of one's own and none of the history that ships with the code. */
export async function seedMissing(
  dataDir: string,
  seedFiles: string[],
): Promise<string | undefined> {
  const file = seedFiles.find(existsSync);
  const held = await readManifests(join(dataDir, 'lake'), soundManifest);
  const isThere = held.some(({ source }) => source.name === basename(file ?? ''));
  if (file === undefined || held.length === 0 || isThere) return undefined;
  return `The flight history that comes with Headwind is not loaded, for there are months of your own; to add it: make ingest FILE="${file}" PUBLISH=1\n`;
}

/** A month whose files are damaged counts: there is something to repair. */
async function hasMonths(lake: string): Promise<boolean> {
  const years = await readdir(join(lake, 'flights')).catch(() => []);
  return years.some((name) => name.startsWith('year='));
}
