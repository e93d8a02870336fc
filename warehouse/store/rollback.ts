import type { Redis } from 'ioredis';
import {
  datedVersionsOnDisk,
  currentOnDisk,
  readVersion,
  saveToDisk,
  versionsOnDisk,
} from './disk.ts';
import { CorruptFileError } from '../errors.ts';
import { dateVersion, sortOldestFirst, type DatedVersion } from './manifest.ts';
import { modelOf, openVerifiedStore } from './model.ts';
import type { StoreFiles } from './store-manifest.ts';
import { currentVersion, readFromRedis, saveToRedis, datedVersionsInRedis } from './redis.ts';
import { reinstateVersion, withdrawVersion } from './withdrawn.ts';

/** The requested version is missing, damaged or already current, or there is no older version. Nothing was changed. */
export class RollbackRefusedError extends Error {
  readonly isFinal = true;
  override readonly name = 'RollbackRefusedError';
  readonly versions: string[];

  constructor(detail: string, versions: string[], options?: ErrorOptions) {
    super(`${detail}; ${formatVersions(versions)}`, options);
    this.versions = versions;
  }
}

export type RollbackResult = { from: string | undefined; to: string; months: string[] };

/** The planned roll-back. It is passed to a callback after all checks and before the pointers move. */
export type StoreMove = {
  /** Version of the current store's model; undefined if the store has no model or cannot be read. */
  fromModel: string | undefined;
  /** Model of the target store, with the model's file; undefined if the target store has no model. */
  toModel: { version: string; bytes: Uint8Array } | undefined;
  /** Whether the target was built before the current version. */
  isToOlder: boolean;
};

/**
 * Makes another version current: the named version or, without a name, the version built before the current version.
 * First checks this version against its manifest. Then moves the pointers on disk and in Redis, and notifies the
 * readers. If the new current version is older than the former one, marks the content of the former one as withdrawn. A
 * publish then does not make this content current again.
 */
export async function rollBack(
  storeDir: string,
  redis: Redis,
  named?: string,
  beforeMove: (move: StoreMove) => Promise<void> = () => Promise.resolve(),
): Promise<RollbackResult> {
  const built = await listVersions(storeDir, redis);
  const versions = sortOldestFirst(built).toReversed();
  const from = (await currentVersion(redis)) ?? (await currentOnDisk(storeDir));
  const before = from === undefined ? [] : versionsBefore(from, built);
  const to = named ?? before.at(-1);
  if (to === undefined) throw new RollbackRefusedError('there is no older version', versions);
  if (!versions.includes(to)) {
    throw new RollbackRefusedError(`version ${to} is not available`, versions);
  }
  if (to === from) throw new RollbackRefusedError(`version ${to} is already current`, versions);
  const store = await readVerified(storeDir, redis, to, versions);
  const isToOlder = before.includes(to);
  const fromModel = from === undefined ? undefined : await modelVersionOf(storeDir, from);
  await beforeMove({ fromModel, toModel: readModel(store), isToOlder });
  await reinstateVersion({ storeDir, redis }, to);
  if (from !== undefined && isToOlder) await withdrawVersion({ storeDir, redis }, from);
  await saveToDisk(storeDir, store);
  await saveToRedis(redis, store);
  return { from, to, months: store.manifest.months };
}

/** Returns the versions on disk and in Redis. */
async function listVersions(storeDir: string, redis: Redis): Promise<DatedVersion[]> {
  return [...(await datedVersionsOnDisk(storeDir)), ...(await datedVersionsInRedis(redis))];
}

/**
 * Returns the versions that were built before a given version, oldest first. The given version may already have been
 * removed.
 */
function versionsBefore(version: string, built: DatedVersion[]): string[] {
  const isStored = built.some((one) => one.version === version);
  const order = sortOldestFirst(isStored ? built : [...built, dateVersion(version, undefined)]);
  return order.slice(0, order.indexOf(version));
}

async function readVerified(
  storeDir: string,
  redis: Redis,
  version: string,
  versions: string[],
): Promise<StoreFiles> {
  try {
    const isOnDisk = (await versionsOnDisk(storeDir)).includes(version);
    const store = isOnDisk
      ? await readVersion(storeDir, version)
      : await readFromRedis(redis, version);
    openVerifiedStore(store);
    return store;
  } catch (cause) {
    if (!(cause instanceof CorruptFileError)) throw cause;
    throw new RollbackRefusedError(`version ${version} is damaged (${cause.message})`, versions, {
      cause,
    });
  }
}

function readModel(store: StoreFiles): StoreMove['toModel'] {
  const bytes = modelOf(store);
  return bytes && store.manifest.model && { version: store.manifest.model.version, bytes };
}

async function modelVersionOf(storeDir: string, version: string): Promise<string | undefined> {
  const store = await readVersion(storeDir, version).catch(() => undefined);
  return store?.manifest.model?.version;
}

function formatVersions(versions: string[]): string {
  return versions.length === 0
    ? 'there are no stored versions'
    : `available versions: ${versions.join(', ')}`;
}
