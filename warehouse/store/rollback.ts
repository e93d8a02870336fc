import type { Redis } from 'ioredis';
import { builtOnDisk, currentOnDisk, readVersion, saveToDisk, versionsOnDisk } from './disk.ts';
import { CorruptFileError } from '../errors.ts';
import { builtAs, oldestFirst, type Built } from './manifest.ts';
import { modelOf, openWholeStore } from './model.ts';
import type { StoreFiles } from './open.ts';
import { currentVersion, readFromRedis, saveToRedis, builtInRedis } from './redis.ts';
import { forgiveVersion, withdrawVersion } from './withdrawn.ts';

/** The version asked for is not kept, damaged, or there is none to go back to; nothing was moved. */
export class RollbackRefusedError extends Error {
  readonly isFinal = true;
  readonly kept: string[];

  constructor(detail: string, kept: string[], options?: ErrorOptions) {
    super(`${detail}; ${keptText(kept)}`, options);
    this.name = 'RollbackRefusedError';
    this.kept = kept;
  }
}

export type RolledBack = { from: string | undefined; to: string; months: string[] };

/** What moves, told once it is known to be sound, and before it does. */
export type StoreMove = {
  /** Version of the model of the version gone back from, as far as that can still be read. */
  fromModel: string | undefined;
  /** That of the version gone back to, with its file. */
  toModel: { version: string; bytes: Uint8Array } | undefined;
  /** Whether the version gone to was built before. */
  isBack: boolean;
};

/**
 * Makes a kept version current again: the one named, or the one built before the current one. It is read and checked
 * against its manifest first; then the pointer moves on disk, in Redis, and the readers are told.
 * What was current counts as withdrawn: a publish of the same content does not bring it back.
 */
export async function rollBack(
  storeDir: string,
  redis: Redis,
  named?: string,
  moving: (move: StoreMove) => Promise<void> = () => Promise.resolve(),
): Promise<RolledBack> {
  const built = await keptVersions(storeDir, redis);
  const kept = oldestFirst(built).toReversed();
  const from = (await currentVersion(redis)) ?? (await currentOnDisk(storeDir));
  const before = from === undefined ? [] : builtBefore(from, built);
  const to = named ?? before.at(-1);
  if (to === undefined) throw new RollbackRefusedError('there is no version before it', kept);
  if (!kept.includes(to)) throw new RollbackRefusedError(`version ${to} is not kept`, kept);
  if (to === from) throw new RollbackRefusedError(`version ${to} is the current one`, kept);
  const store = await checked(storeDir, redis, to, kept);
  const isBack = before.includes(to);
  const fromModel = from === undefined ? undefined : await modelVersionOf(storeDir, from);
  await moving({ fromModel, toModel: modelIn(store), isBack });
  await forgiveVersion({ storeDir, redis }, to);
  if (from !== undefined && isBack) await withdrawVersion({ storeDir, redis }, from);
  await saveToDisk(storeDir, store);
  await saveToRedis(redis, store);
  return { from, to, months: store.manifest.months };
}

/** Versions that can be gone back to: those kept on disk, and those only Redis has. */
async function keptVersions(storeDir: string, redis: Redis): Promise<Built[]> {
  return [...(await builtOnDisk(storeDir)), ...(await builtInRedis(redis))];
}

/** Those that were built before a version, oldest first; it may itself be kept no longer. */
function builtBefore(version: string, kept: Built[]): string[] {
  const isKept = kept.some((one) => one.version === version);
  const order = oldestFirst(isKept ? kept : [...kept, builtAs(version, undefined)]);
  return order.slice(0, order.indexOf(version));
}

async function checked(
  storeDir: string,
  redis: Redis,
  version: string,
  kept: string[],
): Promise<StoreFiles> {
  try {
    const isOnDisk = (await versionsOnDisk(storeDir)).includes(version);
    const store = isOnDisk
      ? await readVersion(storeDir, version)
      : await readFromRedis(redis, version);
    openWholeStore(store);
    return store;
  } catch (cause) {
    if (!(cause instanceof CorruptFileError)) throw cause;
    throw new RollbackRefusedError(`version ${version} is damaged (${cause.message})`, kept, {
      cause,
    });
  }
}

function modelIn(store: StoreFiles): StoreMove['toModel'] {
  const bytes = modelOf(store);
  return bytes && store.manifest.model && { version: store.manifest.model.version, bytes };
}

async function modelVersionOf(storeDir: string, version: string): Promise<string | undefined> {
  const store = await readVersion(storeDir, version).catch(() => undefined);
  return store?.manifest.model?.version;
}

function keptText(kept: string[]): string {
  return kept.length === 0 ? 'none is kept' : `kept are ${kept.join(', ')}`;
}
