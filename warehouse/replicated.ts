import type { Redis } from 'ioredis';
import { RedisUnavailableError } from './errors.ts';

/** Replicas in the same network receive a write within a millisecond or two. */
const REPLICATION_TIMEOUT_MS = 200;

/**
 * Runs `work` on a separate connection and waits until `replicas` replicas have the writes of `work`. Calls on the
 * shared connection do not wait. Throws `RedisUnavailableError` if the replicas are too slow. In that case the caller
 * must not acknowledge the writes, because the writes may be lost if the primary fails.
 */
export async function writeReplicated<T>(
  redis: Redis,
  replicas: number,
  work: (connection: Redis) => Promise<T>,
): Promise<T> {
  if (replicas === 0) return work(redis);
  const connection = redis.duplicate({
    enableOfflineQueue: true,
    // Does not retry, because the caller has received an error by the time of a retry.
    retryStrategy: () => null,
    sentinelRetryStrategy: () => null,
  });
  connection.on('error', () => undefined);
  try {
    const result = await work(connection);
    const replicaCount = await connection.wait(replicas, REPLICATION_TIMEOUT_MS);
    if (replicaCount >= replicas) return result;
    throw new RedisUnavailableError(`${replicaCount} of ${replicas} replicas have the write`);
  } finally {
    connection.disconnect();
  }
}
