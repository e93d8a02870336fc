import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Redis } from 'ioredis';
import { readConfig } from '../../jobs/config.ts';
import { openRedis } from '../../jobs/processes/redis-session.ts';

/** A folder and a Redis of a part's own. */
export type OwnStage = {
  folder: string;
  redis: Redis;
  /** Of the Redis. */
  url: string;
  /** Ends the Redis and removes the folder. */
  close: () => Promise<void>;
};

/** Opens them; the folder bears the name of the part. */
export async function openOwnStage(part: string): Promise<OwnStage> {
  const folder = await mkdtemp(path.join(tmpdir(), `headwind-${part}-`));
  const session = await openRedis(readConfig({ DATA_DIR: path.join(folder, 'redis') }), 'chaos');
  const redis = new Redis(session.url);
  return {
    folder,
    redis,
    url: session.url,
    close: async () => {
      redis.disconnect();
      await session.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
