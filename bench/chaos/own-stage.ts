import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Redis } from 'ioredis';
import { openRedisClient } from '../../warehouse/ground/redis-address.ts';
import { launchRedis, type RunningRedis } from '../stage/redis-process.ts';

/** A folder and a Redis for one part of chaos. */
export type PartStage = {
  folder: string;
  server: RunningRedis;
  redis: Redis;
  /** Address of the Redis. */
  url: string;
  /** Ends the Redis and removes the folder. */
  close: () => Promise<void>;
};

/** Starts the Redis and creates the folder, which is named after the part; both have their files below `parent`. */
export async function openPartStage(part: string, parent: string = tmpdir()): Promise<PartStage> {
  const folder = await mkdtemp(path.join(parent, `hw-${part}-`));
  const server = await launchRedis(parent);
  const redis = openRedisClient(server.url);
  // Without a listener, the error of a killed server would end this process.
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
