import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { prepareStore } from '../../models/prepare-store.ts';
import type { StoreModels } from './store-models.ts';
import { describeError } from '../redact.ts';
import { watchRedis, type Refresh } from '../redis-watch.ts';
import { pruneDisk, readFromDisk, saveToDisk } from '../../warehouse/store/disk.ts';
import type { Retention } from '../../warehouse/ground/retention.ts';
import { CorruptFileError } from '../../warehouse/errors.ts';
import { openStoreInSlices } from '../../warehouse/store/open.ts';
import type { StoreFiles } from '../../warehouse/store/store-manifest.ts';
import { currentVersion, PUBLISHED_CHANNEL, readFromRedis } from '../../warehouse/store/redis.ts';
import type { ScoreStore } from '../../warehouse/store/types.ts';

export type StoreWatch = {
  /** Returns the current store; undefined while no store is loaded. A new version replaces the whole store. */
  current: () => ScoreStore | undefined;
  /** Resolves after the first read from Redis. */
  ready: Promise<void>;
  close: () => Promise<void>;
};

export type StoreWatchDeps = {
  /** Opens a new connection to Redis at each call. */
  connect: () => Redis;
  /** Folder with a copy of the store, for a start without Redis. */
  storeDir: string;
  /** Opens the model of a store before the store is used. */
  models: Pick<StoreModels, 'prepare'>;
  /** Decides which older versions stay on disk. */
  retention?: Retention | undefined;
  /** Called after a store is loaded, when the memory of its files is no longer needed. */
  onLoaded?: () => void;
  log: Logger;
  /** Redis is also read at this interval, in ms, because a message about a new version can get lost. Default: 2,000. */
  refreshEveryMs?: number;
};

const REFRESH_EVERY_MS = 2_000;

/**
 * Keeps the published store in memory. The store is loaded from disk at the start, and from Redis when a new version is
 * published. Damaged or unreadable versions are refused; the former version stays in use.
 */
export async function watchStores(deps: StoreWatchDeps): Promise<StoreWatch> {
  const { connect, models, log, refreshEveryMs = REFRESH_EVERY_MS } = deps;
  let { store, isIntact } = await loadFromDisk(deps);
  let refusedVersion: string | undefined;

  const load = async (version: string, { redis, signal }: Refresh) => {
    const files = await readFromRedis(redis, version);
    const next = await openStoreInSlices(files);
    await prepareStore(next);
    const isSound = await models.prepare(next, files);
    if (signal.aborted) return;
    [store, isIntact] = [next, isSound];
    // If only the model is damaged, the store is used without the model. The store is read again only after a new
    // publish.
    refusedVersion = isSound ? undefined : version;
    log.info({ version, months: next.manifest.months.length }, 'store loaded');
    if (isSound) await saveStore(files, deps);
    deps.onLoaded?.();
  };
  const refresh = async (context: Refresh) => {
    // Try the refused version again, because a new publish may have repaired it.
    if (context.messages.length > 0) refusedVersion = undefined;
    const version = await currentVersion(context.redis);
    const isServed = version === store?.manifest.version && isIntact;
    if (version === undefined || isServed || version === refusedVersion) return;
    try {
      await load(version, context);
    } catch (error) {
      // Other errors may be temporary, so the next refresh tries again.
      if (!(error instanceof CorruptFileError)) throw error;
      refusedVersion = version;
      const facts = { version, error: describeError(error) };
      log.error(facts, 'the new store is refused; the former version stays in use');
    }
  };
  const watch = watchRedis({
    connect,
    channel: PUBLISHED_CHANNEL,
    refreshEveryMs,
    refresh,
    onError: (error) => log.error({ error: describeError(error) }, 'store not read'),
  });
  return { current: () => store, ready: watch.ready, close: watch.close };
}

async function loadFromDisk({
  storeDir,
  models,
  onLoaded,
  log,
}: StoreWatchDeps): Promise<{ store: ScoreStore | undefined; isIntact: boolean }> {
  try {
    const files = await readFromDisk(storeDir);
    if (!files) return { store: undefined, isIntact: true };
    const store = await openStoreInSlices(files);
    await prepareStore(store);
    const isIntact = await models.prepare(store, files);
    log.info({ version: store.manifest.version }, 'store loaded from disk');
    onLoaded?.();
    return { store, isIntact };
  } catch (error) {
    log.error({ error: describeError(error) }, 'store on disk refused');
    return { store: undefined, isIntact: true };
  }
}

/**
 * Saves the store to disk, for a start without Redis. A failure, such as a full disk, is only logged, because answers
 * use the store in memory.
 */
async function saveStore(
  files: StoreFiles,
  { storeDir, retention, log }: StoreWatchDeps,
): Promise<void> {
  try {
    await saveToDisk(storeDir, files);
    await pruneDisk(storeDir, files.manifest.version, retention);
  } catch (error) {
    log.warn({ error: describeError(error) }, 'store not saved on disk');
  }
}
