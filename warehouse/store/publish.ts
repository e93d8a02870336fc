import type { Redis } from 'ioredis';
import { CorruptFileError } from '../errors.ts';
import { currentOnDisk, pruneDisk, readFromDisk, saveToDisk } from './disk.ts';
import { sameContent } from './manifest.ts';
import { openWholeStore } from './model.ts';
import type { StoreFiles } from './open.ts';
import { currentVersion, readFromRedis, saveToRedis } from './redis.ts';
import { ContentWithdrawnError, withdrawnAs } from './withdrawn.ts';

/**
 * Makes the store current on disk, then in Redis, and returns its version.
 * Content that is already current keeps its version, so that a night without news publishes nothing new
 * and a publish killed half-way can be run again. Throws `ContentWithdrawnError` for content that was rolled back from.
 */
export async function saveStore(
  storeDir: string,
  redis: Redis,
  store: StoreFiles,
): Promise<string> {
  await bringCurrent(storeDir, redis);
  const current = await intactStore(storeDir);
  const isCurrent = current && sameContent(current.manifest, store.manifest);
  const withdrawn = isCurrent ? undefined : await withdrawnAs({ storeDir, redis }, store.manifest);
  const published = current && (isCurrent || withdrawn !== undefined) ? current : store;
  await saveToDisk(storeDir, published);
  await saveToRedis(redis, published);
  await pruneDisk(storeDir, published.manifest.version);
  if (published !== store && withdrawn !== undefined) throw new ContentWithdrawnError(withdrawn);
  return published.manifest.version;
}

/** What another machine published since is current here, too; one that is damaged in Redis is not. */
async function bringCurrent(storeDir: string, redis: Redis): Promise<void> {
  const version = await currentVersion(redis);
  if (version === undefined || version === (await currentOnDisk(storeDir))) return;
  try {
    const store = await readFromRedis(redis, version);
    openWholeStore(store);
    await saveToDisk(storeDir, store);
  } catch (error) {
    if (!(error instanceof CorruptFileError)) throw error;
  }
}

/** The current store on disk, or undefined when there is none or it is damaged. */
async function intactStore(storeDir: string): Promise<StoreFiles | undefined> {
  try {
    const store = await readFromDisk(storeDir);
    if (store) openWholeStore(store);
    return store;
  } catch (error) {
    if (error instanceof CorruptFileError) return undefined;
    throw error;
  }
}
