import type { Redis } from 'ioredis';
import { CorruptFileError } from '../errors.ts';
import type { Retention } from '../ground/retention.ts';
import { currentOnDisk, pruneDisk, readFromDisk, saveToDisk } from './disk.ts';
import { hasSameContent } from './manifest.ts';
import { openVerifiedStore } from './model.ts';
import type { StoreFiles } from './store-manifest.ts';
import { currentVersion, readFromRedis, saveToRedis } from './redis.ts';
import { ContentWithdrawnError, findWithdrawn } from './withdrawn.ts';

/**
 * Makes the store current on disk, then in Redis, and returns its version. If the same content is already current, the
 * current version remains. A nightly run without new data therefore publishes nothing, and a publish that was killed
 * can be repeated. Throws `ContentWithdrawnError` for content that operators rolled back from.
 */
export async function saveStore(
  storeDir: string,
  redis: Redis,
  store: StoreFiles,
  retention?: Retention,
): Promise<string> {
  await copyCurrentFromRedis(storeDir, redis);
  const current = await readIntactStore(storeDir);
  const isCurrent = current && hasSameContent(current.manifest, store.manifest);
  const withdrawn = isCurrent
    ? undefined
    : await findWithdrawn({ storeDir, redis }, store.manifest);
  const published = current && (isCurrent || withdrawn !== undefined) ? current : store;
  await saveToDisk(storeDir, published);
  await saveToRedis(redis, published);
  await pruneDisk(storeDir, published.manifest.version, retention);
  if (published !== store && withdrawn !== undefined) throw new ContentWithdrawnError(withdrawn);
  return published.manifest.version;
}

/**
 * Copies the current version from Redis to this disk, if another machine has published it. If the version is damaged in
 * Redis, copies nothing.
 */
async function copyCurrentFromRedis(storeDir: string, redis: Redis): Promise<void> {
  const version = await currentVersion(redis);
  if (version === undefined || version === (await currentOnDisk(storeDir))) return;
  try {
    const store = await readFromRedis(redis, version);
    openVerifiedStore(store);
    await saveToDisk(storeDir, store);
  } catch (error) {
    if (!(error instanceof CorruptFileError)) throw error;
  }
}

/** Reads the current store on disk; undefined if there is none or it is damaged. */
async function readIntactStore(storeDir: string): Promise<StoreFiles | undefined> {
  try {
    const store = await readFromDisk(storeDir);
    if (store) openVerifiedStore(store);
    return store;
  } catch (error) {
    if (error instanceof CorruptFileError) return undefined;
    throw error;
  }
}
