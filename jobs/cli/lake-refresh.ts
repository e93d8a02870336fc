import type { Redis } from 'ioredis';
import { CorruptFileError } from '../../warehouse/errors.ts';
import type { LakeHome } from '../../warehouse/lake/shared/lake-home.ts';
import type { FileCheck } from '../../warehouse/lake/shared/unit-copy.ts';
import { listLocalUnits, parseMonthRef } from '../../warehouse/lake/shared/units.ts';
import { StorageUnavailableError } from '../../warehouse/objects/objects.ts';
import { dataPaths } from '../../warehouse/paths.ts';
import { connectOnce } from '../processes/redis-client.ts';
import { openRedis } from '../processes/redis-session.ts';
import { openLakeHome, refuseCopy } from '../wiring/lake-home.ts';
import type { CommandContext } from './context.ts';

type Configured = Pick<CommandContext, 'config'>;

/**
 * Updates the local copy of a shared lake before a command reads the copy. Without `files`, updates only the manifests.
 * With `files`, also updates the lake's files, which are compared by size or by bytes. Without LAKE_URL, throws if the
 * folder is the copy of a shared lake.
 */
export async function refreshLake({ config }: Configured, files?: FileCheck): Promise<void> {
  if (!config.lake) return refuseCopy(dataPaths(config.dataDir));
  await withLakeHome({ config }, async (home) => {
    await home.refresh();
    if (files) await home.fetch(undefined, files);
  });
}

/** Refreshes the manifests like `refreshLake`. If the lake is unavailable, warns and keeps the local copy. */
export async function refreshLakeIfAvailable(
  context: Pick<CommandContext, 'config' | 'err'>,
): Promise<void> {
  await refreshLake(context).catch((error: unknown) => {
    if (!(error instanceof StorageUnavailableError)) throw error;
    context.err.write(`${error.message}; showing the local copy, which may be older\n`);
  });
}

/**
 * Fetches the whole shared lake with its former versions. Locally damaged files are replaced; files that are damaged in
 * the shared lake too stay damaged.
 */
export async function fetchWholeLake({ config }: Configured): Promise<void> {
  if (!config.lake) return refuseCopy(dataPaths(config.dataDir));
  const { lakeDir } = dataPaths(config.dataDir);
  await withLakeHome({ config }, async (home) => {
    await home.refresh();
    for (const unit of await listLocalUnits(lakeDir)) {
      const ref = parseMonthRef(unit);
      await ignoreCorrupt(home.fetch([unit]));
      if (ref) await ignoreCorrupt(home.fetchVersions(ref));
    }
  });
}

async function ignoreCorrupt(fetch: Promise<void>): Promise<void> {
  await fetch.catch((error: unknown) => {
    if (!(error instanceof CorruptFileError)) throw error;
  });
}

/** Runs `work` with an open connection to the place of the lake. */
export async function withLakeHome<T>(
  { config }: Configured,
  work: (home: LakeHome) => Promise<T>,
): Promise<T> {
  return withRedis({ config }, (redis) => work(openLakeHome(config, redis)));
}

/** Runs `work` with an open connection to Redis. */
export async function withRedis<T>(
  { config }: Configured,
  work: (redis: Redis) => Promise<T>,
): Promise<T> {
  const session = await openRedis(config, 'lake');
  const redis = await connectOnce(session.url, `headwind-lake-${process.pid}`);
  try {
    return await work(redis);
  } finally {
    redis.disconnect();
    await session.close();
  }
}
