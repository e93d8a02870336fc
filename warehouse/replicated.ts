import type { Redis } from 'ioredis';
import { RedisUnavailableError } from './errors.ts';

/** Replicas in the same network have a write within a millisecond or two. */
const REPLICATION_TIMEOUT_MS = 200;

/**
 * Runs the work on a separate connection and waits until `replicas` replicas have its writes; calls on the shared
 * connection do not wait. Throws `RedisUnavailableError` if the replicas are too slow: the writes may be lost if the
 * primary fails, so the caller must not acknowledge them.
 */
export async function writeReplicated<T>(
  redis: Redis,
  replicas: number,
  work: (connection: Redis) => Promise<T>,
): Promise<T> {
  if (replicas === 0) return work(redis);
  const connection = redis.duplicate({
    enableOfflineQueue: true,
    // No retries: the caller has received an error by then.
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
