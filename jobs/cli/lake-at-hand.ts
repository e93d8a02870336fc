import type { Redis } from 'ioredis';
import { CorruptFileError } from '../../warehouse/errors.ts';
import type { LakeHome } from '../../warehouse/lake/shared/lake-home.ts';
import type { Look } from '../../warehouse/lake/shared/unit-copy.ts';
import { localUnits, refOf } from '../../warehouse/lake/shared/units.ts';
import { StorageAwayError } from '../../warehouse/objects/objects.ts';
import { dataPaths } from '../../warehouse/paths.ts';
import { connectOnce } from '../processes/redis-client.ts';
import { openRedis } from '../processes/redis-session.ts';
import { openLakeHome, refuseCopy } from '../wiring/lake-home.ts';
import type { CommandContext } from './context.ts';

type Configured = Pick<CommandContext, 'config'>;

/** Has the folder of the lake hold what counts before a command reads it: manifests, and with a look at them files. */
export async function lakeAtHand({ config }: Configured, files?: Look): Promise<void> {
  if (!config.lake) return refuseCopy(dataPaths(config.dataDir));
  await withLakeHome({ config }, async (home) => {
    await home.refresh();
    if (files) await home.fetch(undefined, files);
  });
}

/** The same, as far as the lake answers; without an answer what is here is read, and that is told. */
export async function lakeIfThere(context: Pick<CommandContext, 'config' | 'err'>): Promise<void> {
  await lakeAtHand(context).catch((error: unknown) => {
    if (!(error instanceof StorageAwayError)) throw error;
    context.err.write(`${error.message}; what follows is what is here of it\n`);
  });
}

/** Has it hold all there is, versions too, bit for bit; what is damaged here is fetched, what is so there stays as it is. */
export async function allAtHand({ config }: Configured): Promise<void> {
  if (!config.lake) return refuseCopy(dataPaths(config.dataDir));
  const { lakeDir } = dataPaths(config.dataDir);
  await withLakeHome({ config }, async (home) => {
    await home.refresh();
    for (const unit of await localUnits(lakeDir)) {
      const ref = refOf(unit);
      await sound(home.fetch([unit]));
      if (ref) await sound(home.fetchVersions(ref));
    }
  });
}

async function sound(fetching: Promise<void>): Promise<void> {
  await fetching.catch((error: unknown) => {
    if (!(error instanceof CorruptFileError)) throw error;
  });
}

/** Does the work with the place of the lake open. */
export async function withLakeHome<T>(
  { config }: Configured,
  work: (home: LakeHome) => Promise<T>,
): Promise<T> {
  return withRedis({ config }, (redis) => work(openLakeHome(config, redis)));
}

/** Does the work with a connection to Redis. */
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
