import type { Redis } from 'ioredis';

/** A key without meaning, which is only written as a test; it expires after a minute. */
const PROBE = 'hw:write-probe';
const PROBE_TTL_MS = 60_000;

/**
 * Writes a key and returns why Redis refuses the write; undefined if Redis accepts it. Redis refuses writes with a full
 * disk (MISCONF), full memory (OOM), as a replica (READONLY) or without enough replicas (NOREPLICAS), but still answers
 * reads. Rejects if Redis does not answer.
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
