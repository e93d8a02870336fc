import type { Redis } from 'ioredis';
import { RedisUnavailableError } from './errors.ts';

/** Deadline for replicas. In the same network, they receive a write within a millisecond or two. */
const REPLICATION_TIMEOUT_MS = 200;

/**
 * Runs `work` on a separate connection, and waits until `replicas` replicas have its writes. Calls on the shared
 * connection do not wait. Throws `RedisUnavailableError` if the replicas are too slow. The caller must then report a
 * failure, because the writes are lost if the primary fails.
 */
export async function writeReplicated<T>(
  redis: Redis,
  replicas: number,
  work: (connection: Redis) => Promise<T>,
): Promise<T> {
  if (replicas === 0) return work(redis);
  const connection = redis.duplicate({
    enableOfflineQueue: true,
    // The connection does not retry commands: the caller would already have received an error.
    retryStrategy: () => null,
    sentinelRetryStrategy: () => null,
  });
  connection.on('error', () => undefined);
  try {
    const result = await work(connection);
    const replicaCount = await connection.wait(replicas, REPLICATION_TIMEOUT_MS);
    if (replicaCount >= replicas) return result;
    throw new RedisUnavailableError(`${replicaCount} of ${replicas} replicas confirmed the write`);
  } finally {
    connection.disconnect();
  }
}
