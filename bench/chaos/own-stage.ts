import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Redis } from 'ioredis';
import { openRedisClient } from '../../warehouse/ground/redis-address.ts';
import { launchRedis, type RunningRedis } from '../stage/redis-process.ts';

/** A folder and a Redis of a part's own. */
export type OwnStage = {
  folder: string;
  server: RunningRedis;
  redis: Redis;
  /** Of the Redis. */
  url: string;
  /** Ends the Redis and removes the folder. */
  close: () => Promise<void>;
};

/** Opens them; the folder bears the name of the part. */
export async function openOwnStage(part: string): Promise<OwnStage> {
  const folder = await mkdtemp(path.join(tmpdir(), `hw-${part}-`));
  const server = await launchRedis();
  const redis = openRedisClient(server.url);
  // One that is killed comes back.
  redis.on('error', () => undefined);
  return {
    folder,
    server,
    redis,
    url: server.url,
    close: async () => {
      redis.disconnect();
      await server.stop();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
