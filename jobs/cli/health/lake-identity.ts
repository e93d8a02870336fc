import { randomUUID } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LakeHome } from '../../../warehouse/lake/shared/lake-home.ts';
import type { Status } from '../status/types.ts';

/** Time between two checks; each check is a request that may cost money. */
const LAKE_CHECK_MS = 5 * 60_000;
/** An unavailable lake is checked more often, so that the worker soon notices when the lake is available again. */
const LAKE_RETRY_MS = 30_000;

/** Returns the id of the lake in a data folder. The first call creates the id and stores it in the folder. */
export async function ensureLakeId(dataDir: string): Promise<string> {
  const file = join(dataDir, 'lake.id');
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, randomUUID());
  // If two workers start at the same time, only one `link` succeeds. The file is already complete when it is linked.
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(draft);
  return readFile(file, 'utf8');
}

/** Returns a function that checks the shared lake, at most every five minutes; undefined for a local lake. */
export function createLakeCheck({
  place,
  check,
}: Pick<LakeHome, 'place' | 'check'>): (() => Promise<Status['lake']>) | undefined {
  if (place === undefined) return undefined;
  let last: { at: number; lake: NonNullable<Status['lake']> } | undefined;
  return async () => {
    const maxAgeMs = last?.lake.problem === undefined ? LAKE_CHECK_MS : LAKE_RETRY_MS;
    if (last && Date.now() - last.at < maxAgeMs) return last.lake;
    const problem = await check().then(
      () => undefined,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    last = { at: Date.now(), lake: { place, ...(problem !== undefined && { problem }) } };
    return last.lake;
  };
}
