import type { Redis } from 'ioredis';
import { currentOnDisk, readVersion, saveToDisk, versionsOnDisk } from './disk.ts';
import { CorruptFileError } from '../errors.ts';
import { modelOf, openWholeStore } from './model.ts';
import type { StoreFiles } from './open.ts';
import { currentVersion, readFromRedis, saveToRedis, versionsInRedis } from './redis.ts';
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

/** Versions that can be gone back to, newest first: those kept on disk, and those only Redis has. */
export async function keptVersions(storeDir: string, redis: Redis): Promise<string[]> {
  const [disk, inRedis] = [await versionsOnDisk(storeDir), await versionsInRedis(redis)];
  return [...new Set([...disk, ...inRedis])].toSorted().toReversed();
}

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
  const kept = await keptVersions(storeDir, redis);
  const from = (await currentVersion(redis)) ?? (await currentOnDisk(storeDir));
  const to = named ?? kept.find((version) => from !== undefined && version < from);
  if (to === undefined) throw new RollbackRefusedError('there is no version before it', kept);
  if (!kept.includes(to)) throw new RollbackRefusedError(`version ${to} is not kept`, kept);
  if (to === from) throw new RollbackRefusedError(`version ${to} is the current one`, kept);
  const store = await checked(storeDir, redis, to, kept);
  const isBack = from !== undefined && from > to;
  const fromModel = from === undefined ? undefined : await modelVersionOf(storeDir, from);
  await moving({ fromModel, toModel: modelIn(store), isBack });
  await forgiveVersion(storeDir, to);
  if (isBack) await withdrawVersion(storeDir, from);
  await saveToDisk(storeDir, store);
  await saveToRedis(redis, store);
  return { from, to, months: store.manifest.months };
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
