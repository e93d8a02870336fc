import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { JobsConfig } from '../config.ts';
import { CommandError } from '../errors.ts';
import { withLock } from './lock.ts';
import { placeOf } from '../../warehouse/ground/redis-address.ts';
import { pingRedis } from './redis-client.ts';
import { redisPlace } from './redis-place.ts';
import type { RedisPlace } from './redis-place.ts';
import { ensureServer, stopServerIfUnused } from './redis-server.ts';

/** The use of a Redis by one command, from its start to its end. */
export type RedisSession = {
  url: string;
  /** Whether it is the one in the data folder, which the last one out stops. */
  isManaged: boolean;
  /** To be called when every connection of this command is closed; gives others `patienceMs` to leave too. */
  close: (patienceMs?: number) => Promise<void>;
};

const LOCK_PATIENCE_MS = 60_000;
/** Redis notices a closed connection in its next turn. */
const LEAVE_PATIENCE_MS = 300;
const LOOK_MS = 50;

/** Opens the Redis of `REDIS_URL`, or the one of the data folder, started when it does not run. */
export async function openRedis(config: JobsConfig, name: string): Promise<RedisSession> {
  if (config.redisUrl !== undefined) return openGiven(config.redisUrl);
  const place = await redisPlace(config.dataDir);
  const hold = await enter(place, name);
  let isClosing = false;
  let repair = Promise.resolve();

  // The server was killed: the connection comes back by itself once there is one again.
  hold.on('close', () => {
    if (!isClosing) repair = repair.then(() => restore(place, () => isClosing));
  });

  return {
    url: place.socket,
    isManaged: true,
    close: async (patienceMs = LEAVE_PATIENCE_MS) => {
      isClosing = true;
      await repair;
      hold.disconnect();
      await leave(place, patienceMs);
    },
  };
}

async function openGiven(url: string): Promise<RedisSession> {
  const answer = await pingRedis(url);
  if (answer === 'away') throw new CommandError(`No Redis answers at ${placeOf(url)} (REDIS_URL)`);
  if (answer === 'refused') {
    throw new CommandError(`The Redis at ${placeOf(url)} refuses user or password (REDIS_URL)`);
  }
  return { url, isManaged: false, close: async () => undefined };
}

/** Connects while holding the lock: whoever leaves next sees this connection and lets the server run. */
async function enter(place: RedisPlace, name: string): Promise<Redis> {
  return withLock(place.lockFile, LOCK_PATIENCE_MS, async () => {
    place.socket = await ensureServer(place);
    const hold = new Redis(place.socket, {
      connectionName: `headwind-${name}-${process.pid}`,
      maxRetriesPerRequest: null,
      retryStrategy: () => 250,
    });
    hold.on('error', () => undefined);
    // Not PING, which a server without room on its disk refuses like a write.
    await hold.client('ID');
    return hold;
  });
}

/** The lock is free between two looks: whoever wants in need not wait until we have given up. */
async function leave(place: RedisPlace, patienceMs: number): Promise<void> {
  const until = Date.now() + patienceMs;
  const stop = () => withLock(place.lockFile, LOCK_PATIENCE_MS, () => stopServerIfUnused(place));
  while (!(await stop()) && Date.now() < until) await sleep(LOOK_MS);
}

async function restore(place: RedisPlace, isClosing: () => boolean): Promise<void> {
  try {
    await withLock(place.lockFile, LOCK_PATIENCE_MS, async () => {
      if (!isClosing()) await ensureServer(place);
    });
  } catch (error) {
    process.stderr.write(`Redis cannot be started again: ${String(error)}\n`);
  }
}
