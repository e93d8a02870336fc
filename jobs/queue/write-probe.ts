import type { Redis } from 'ioredis';
import { findWriteRefusal } from '../../warehouse/ground/write-probe.ts';
import { connectOnce } from '../processes/redis-client.ts';

const PROBE_EVERY_MS = 5_000;
/**
 * Time for which writes must be refused before `onRefusal` is called. After a shortage, Redis accepts writes again
 * within a second.
 */
const PATIENCE_MS = 20_000;

/** Redis's reasons for refusing writes: a file that cannot be written, a replica, too few replicas, full memory. */
const REFUSAL = /^(?:MISCONF|READONLY|NOREPLICAS|OOM)\b/;

/** Whether a server refused a write that it may accept later. */
export function isWriteRefusal(error: unknown): error is Error {
  return error instanceof Error && REFUSAL.test(error.message);
}

/** Returns why a Redis refuses writes; undefined if it accepts writes or cannot be reached. */
async function probeWrites(url: string): Promise<string | undefined> {
  let redis: Redis | undefined;
  try {
    redis = await connectOnce(url, 'headwind-write-probe');
    return await findWriteRefusal(redis);
  } catch {
    return undefined;
  } finally {
    redis?.disconnect();
  }
}

/**
 * Calls `onRefusal` once, with the reason, when Redis has refused writes for a while. Until Redis accepts writes, no
 * job can begin or end. The returned function stops the probes.
 */
export function watchWrites(
  url: string,
  onRefusal: (reason: string) => void,
  { everyMs = PROBE_EVERY_MS, patienceMs = PATIENCE_MS } = {},
): () => void {
  let refusedSince: number | undefined;
  let isReported = false;
  const probe = async () => {
    const reason = await probeWrites(url);
    if (reason === undefined) {
      refusedSince = undefined;
      return;
    }
    refusedSince ??= Date.now();
    // Slow probes overlap, so another probe may have reported already.
    if (isReported || Date.now() - refusedSince < patienceMs) return;
    isReported = true;
    clearInterval(timer);
    onRefusal(reason);
  };
  const timer = setInterval(() => void probe(), everyMs).unref();
  return () => clearInterval(timer);
}
