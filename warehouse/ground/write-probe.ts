import type { Redis } from 'ioredis';

/** A key that is written only to test whether Redis accepts writes. It expires after a minute. */
const PROBE = 'hw:write-probe';
const PROBE_TTL_MS = 60_000;

/**
 * Writes a key and returns the reason if Redis refuses the write; undefined if Redis accepts it. Redis refuses writes
 * if its disk is full (MISCONF), if its memory is full (OOM), if it is a replica (READONLY), or if it has too few
 * replicas (NOREPLICAS). In these cases, Redis still answers reads. The promise is rejected if Redis does not answer.
 */
export async function findWriteRefusal(redis: Pick<Redis, 'set'>): Promise<string | undefined> {
  try {
    await redis.set(PROBE, '1', 'PX', PROBE_TTL_MS);
    return undefined;
  } catch (error) {
    if (error instanceof Error && error.name === 'ReplyError') {
      return error.message.replace(/\.$/, '');
    }
    throw error;
  }
}
