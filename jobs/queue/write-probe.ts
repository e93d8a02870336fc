import type { Redis } from 'ioredis';
import { connectOnce } from '../processes/redis-client.ts';

const PROBE_EVERY_MS = 5_000;
/** Redis accepts writes again within a second of the end of a shortage. */
const PATIENCE_MS = 20_000;

/** Redis's reasons for refusing writes: a file that cannot be written, a replica, too few replicas, full memory. */
const REFUSAL = /^(?:MISCONF|READONLY|NOREPLICAS|OOM)\b/;

/** Whether a server refused a write that it may accept later. */
export function isWriteRefusal(error: unknown): error is Error {
  return error instanceof Error && REFUSAL.test(error.message);
}

/** Returns why a Redis refuses writes; undefined if it accepts writes or cannot be reached. */
async function findWriteRefusal(url: string): Promise<string | undefined> {
  let redis: Redis | undefined;
  try {
    redis = await connectOnce(url, 'headwind-write-probe');
    await redis.set('hw:write-probe', '1', 'PX', 1_000);
    return undefined;
  } catch (error) {
    return isWriteRefusal(error) ? error.message : undefined;
  } finally {
    redis?.disconnect();
  }
}

/**
 * Calls `onRefusal` once with the reason when Redis has refused writes for a while; until then no job can begin or end.
 * The returned function stops the probes.
 */
export function watchWrites(
  url: string,
  onRefusal: (reason: string) => void,
  { everyMs = PROBE_EVERY_MS, patienceMs = PATIENCE_MS } = {},
): () => void {
  let refusedSince: number | undefined;
  const probe = async () => {
    const reason = await findWriteRefusal(url);
    if (reason === undefined) {
      refusedSince = undefined;
      return;
    }
    refusedSince ??= Date.now();
    if (Date.now() - refusedSince < patienceMs) return;
    clearInterval(timer);
    onRefusal(reason);
  };
  const timer = setInterval(() => void probe(), everyMs).unref();
  return () => clearInterval(timer);
}
