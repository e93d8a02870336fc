import { getPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { JobsConfig } from '../config.ts';
import { CommandError } from '../errors.ts';
import { withLock } from './lock.ts';
import { formatAddress } from '../../warehouse/ground/redis-address.ts';
import { pingRedis } from './redis-client.ts';
import { prepareRedisPaths, type RedisPaths } from './redis-paths.ts';
import { ensureServer, stopServerIfUnused } from './redis-server.ts';

/** A command's use of Redis, from start to end. */
export type RedisSession = {
  url: string;
  /** Whether this is the Redis in the data folder. The last session to end stops this Redis. */
  isManaged: boolean;
  /**
   * Ends the session, after all connections of this command are closed. Waits up to `maxWaitMs` for other sessions to
   * close their connections.
   */
  close: (maxWaitMs?: number) => Promise<void>;
};

const LOCK_MAX_WAIT_MS = 60_000;
/** Time that Redis needs to notice closed connections. */
const LEAVE_MAX_WAIT_MS = 300;
const POLL_MS = 50;
/** Within this time, an API or `make run` restarts a server that was killed. */
const HEAD_START_MS = 1_000;

/**
 * Opens the Redis of `REDIS_URL`. Without `REDIS_URL`, opens the Redis in the data folder, and starts this Redis if
 * necessary. If this Redis ends while in use, restarts it. `report` then receives a line with the outcome.
 */
export async function openRedis(
  config: JobsConfig,
  name: string,
  report: (line: string) => void = (line) => process.stderr.write(`${line}\n`),
): Promise<RedisSession> {
  if (config.redisUrl !== undefined) return openExternal(config.redisUrl);
  const paths = await prepareRedisPaths(config.dataDir);
  const connection = await enter(paths, name);
  let isClosing = false;
  let repair = Promise.resolve();

  // Restarts a server that was killed. The connection then reconnects by itself.
  connection.on('close', () => {
    if (!isClosing) repair = repair.then(() => restartServer(paths, () => isClosing, report));
  });

  return {
    url: paths.socket,
    isManaged: true,
    close: async (maxWaitMs = LEAVE_MAX_WAIT_MS) => {
      isClosing = true;
      await repair;
      connection.disconnect();
      await leave(paths, maxWaitMs);
    },
  };
}

async function openExternal(url: string): Promise<RedisSession> {
  const state = await pingRedis(url);
  if (state === 'unreachable') {
    throw new CommandError(`No Redis answers at ${formatAddress(url)} (REDIS_URL)`);
  }
  if (state === 'refused') {
    throw new CommandError(
      `The Redis at ${formatAddress(url)} rejects the user or password (REDIS_URL)`,
    );
  }
  return { url, isManaged: false, close: async () => undefined };
}

/**
 * Starts the server and connects to it while holding the lock. A session that ends later then sees this connection, and
 * does not stop the server.
 */
async function enter(paths: RedisPaths, name: string): Promise<Redis> {
  return withLock(paths.lockFile, LOCK_MAX_WAIT_MS, async () => {
    ({ socket: paths.socket } = await ensureServer(paths));
    const connection = new Redis(paths.socket, {
      connectionName: `headwind-${name}-${process.pid}`,
      maxRetriesPerRequest: null,
      retryStrategy: () => 250,
    });
    connection.on('error', () => undefined);
    // Does not use PING, because a server with a full disk rejects PING like a write.
    await connection.client('ID');
    return connection;
  });
}

/** Stops the server once it is unused. Releases the lock between two checks, so that new sessions do not wait. */
async function leave(paths: RedisPaths, maxWaitMs: number): Promise<void> {
  const until = Date.now() + maxWaitMs;
  const stop = () => withLock(paths.lockFile, LOCK_MAX_WAIT_MS, () => stopServerIfUnused(paths));
  while (!(await stop()) && Date.now() < until) await sleep(POLL_MS);
}

async function restartServer(
  paths: RedisPaths,
  isClosing: () => boolean,
  report: (line: string) => void,
): Promise<void> {
  // A server inherits the priority of the process that starts it. If this process has a low priority, it waits, so that
  // a process with a higher priority can restart the server first.
  if (getPriority() > 0) await sleep(HEAD_START_MS, undefined, { ref: false });
  try {
    await withLock(paths.lockFile, LOCK_MAX_WAIT_MS, async () => {
      if (isClosing()) return;
      const { isNew } = await ensureServer(paths);
      if (isNew) report(`Redis ended while in use; restarted (log: ${paths.logFile})`);
    });
  } catch (error) {
    report(`Redis could not be restarted: ${String(error)}`);
  }
}
