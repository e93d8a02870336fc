import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { buildFeatures } from '../commands/features.ts';
import { ingestFile } from '../commands/ingest.ts';
import { publishStore } from '../commands/publish.ts';
import type { CommandContext } from '../context.ts';
import { CommandError } from '../../errors.ts';
import { hashFile } from '../input-files.ts';
import { findJob } from '../../queue/queues.ts';
import type { Queues } from '../../queue/queues.ts';
import { fileJobs } from '../../queue/requests.ts';
import type { JobSession } from '../session.ts';

/**
 * Makes the score store there is none of yet: from the seed when the lake is empty, else from what the lake holds.
 * A first start that was killed goes on where it was.
 */
export async function firstStart(
  context: CommandContext,
  session: JobSession,
  seedFile: string,
): Promise<void> {
  const { err } = context;
  if (await needsSeed(context.config.dataDir, session, seedFile)) {
    err.write(`First start: loading the flight history that comes with Headwind\n`);
    const { failure } = await ingestFile(context, session, seedFile);
    if (failure !== undefined) throw new CommandError(`The seed cannot be loaded: ${failure}`);
  }
  err.write('Building features\n');
  await buildFeatures(session);
  err.write('Publishing the score store\n');
  await publishStore(session);
}

async function needsSeed(dataDir: string, session: JobSession, seedFile: string): Promise<boolean> {
  const isBegun = await hasLakeMonths(dataDir);
  if (!existsSync(seedFile)) {
    if (isBegun) return false;
    throw new CommandError(
      `No flights are loaded and ${basename(seedFile)} is missing: make ingest FILE=path`,
    );
  }
  return !isBegun || (await isSeedHalfLoaded(session.queues, session.signal, seedFile));
}

/** Some of its months may be in the lake already when a first start is killed. */
async function isSeedHalfLoaded(queues: Queues, signal: AbortSignal, seedFile: string) {
  const sha256 = await hashFile(seedFile, () => undefined, signal);
  const load = await findJob(queues, fileJobs({ sha256 }).load);
  return load !== undefined && !(await load.isCompleted());
}

async function hasLakeMonths(dataDir: string): Promise<boolean> {
  const years = await readdir(join(dataDir, 'lake', 'flights')).catch(() => []);
  return years.some((name) => name.startsWith('year='));
}
