import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import type { StoreModels } from './store-models.ts';
import { describeError } from '../redact.ts';
import { watchRedis, type Look } from '../redis-watch.ts';
import { pruneDisk, readFromDisk, saveToDisk } from '../../warehouse/store/disk.ts';
import { CorruptFileError } from '../../warehouse/errors.ts';
import { openStoreAside, type StoreFiles } from '../../warehouse/store/open.ts';
import { currentVersion, PUBLISHED_CHANNEL, readFromRedis } from '../../warehouse/store/redis.ts';
import type { ScoreStore } from '../../warehouse/store/types.ts';

export type StoreWatch = {
  /** The store to answer from, or undefined while there is none. It changes in one step, never in parts. */
  current: () => ScoreStore | undefined;
  close: () => Promise<void>;
};

export type StoreWatchDeps = {
  /** A new connection to Redis for each call. */
  connect: () => Redis;
  /** Where the last good version is kept for a start without Redis. */
  storeDir: string;
  /** Where the model of a store is opened before the store serves. */
  models: Pick<StoreModels, 'prepare'>;
  /** Told when a store has taken the place of another, and nothing is left to do with its files. */
  loaded?: () => void;
  log: Logger;
  /** How often the pointer is looked at in case a message was lost, in ms; 2,000 when absent. */
  lookEveryMs?: number;
};

const LOOK_EVERY_MS = 2_000;

/**
 * Keeps the published store in memory: first from disk, then from Redis whenever its pointer moves.
 * A version that is damaged or does not fit this code is refused, and the one before it stays.
 */
export async function watchStores(deps: StoreWatchDeps): Promise<StoreWatch> {
  const { connect, storeDir, models, log, lookEveryMs = LOOK_EVERY_MS } = deps;
  let { store, isIntact } = await fromDisk(deps);
  let refused: string | undefined;

  const load = async (version: string, { redis, signal }: Look) => {
    const files = await readFromRedis(redis, version);
    const next = await openStoreAside(files);
    const isSound = models.prepare(next, files);
    if (signal.aborted) return;
    [store, isIntact] = [next, isSound];
    // One that serves without its damaged model waits to be published again, like one that does not serve.
    refused = isSound ? undefined : version;
    log.info({ version, months: next.manifest.months.length }, 'store loaded');
    if (isSound) await keepOnDisk(storeDir, files, log);
    deps.loaded?.();
  };
  const look = async (at: Look) => {
    // Publishing again may have mended what was refused.
    if (at.messages.length > 0) refused = undefined;
    const version = await currentVersion(at.redis);
    const isServed = version === store?.manifest.version && isIntact;
    if (version === undefined || isServed || version === refused) return;
    try {
      await load(version, at);
    } catch (error) {
      // Anything else may pass, and is tried again at the next look.
      if (!(error instanceof CorruptFileError)) throw error;
      refused = version;
      const facts = { version, error: describeError(error) };
      log.error(facts, 'store refused, the one before it stays');
    }
  };
  const watch = watchRedis({
    connect,
    channel: PUBLISHED_CHANNEL,
    everyMs: lookEveryMs,
    look,
    failed: (error) => log.error({ error: describeError(error) }, 'store not read'),
  });
  return { current: () => store, close: watch.close };
}

async function fromDisk({
  storeDir,
  models,
  loaded,
  log,
}: StoreWatchDeps): Promise<{ store: ScoreStore | undefined; isIntact: boolean }> {
  try {
    const files = await readFromDisk(storeDir);
    if (!files) return { store: undefined, isIntact: true };
    const store = await openStoreAside(files);
    const isIntact = models.prepare(store, files);
    log.info({ version: store.manifest.version }, 'store loaded from disk');
    loaded?.();
    return { store, isIntact };
  } catch (error) {
    log.error({ error: describeError(error) }, 'store on disk refused');
    return { store: undefined, isIntact: true };
  }
}

/** A full disk must not stop the answers: the store in memory serves, only a start without Redis would miss it. */
async function keepOnDisk(storeDir: string, files: StoreFiles, log: Logger): Promise<void> {
  try {
    await saveToDisk(storeDir, files);
    await pruneDisk(storeDir, files.manifest.version);
  } catch (error) {
    log.warn({ error: describeError(error) }, 'store not kept on disk');
  }
}
