import type { Redis } from 'ioredis';

/** The last check of an archive of keys. The check counts the archived keys that Redis lacks. */
export type ArchiveCheck = { dataDir: string; host: string; lost: number; at: string };

/** Hash that maps an archive (folder and host) to the archive's last check as JSON. */
const CHECKS_KEY = 'hw:archive-checks';
/** Workers repeat the check every 30 s. */
const VALID_MS = 2 * 60_000;

/** Records a check. If several workers have the same archive, they share one entry. */
export async function recordArchiveCheck(
  redis: Pick<Redis, 'hset'>,
  check: ArchiveCheck,
): Promise<void> {
  await redis.hset(CHECKS_KEY, `${check.dataDir} on ${check.host}`, JSON.stringify(check));
}

/** Reads the checks of the last 2 minutes, sorted by the number of lost keys, highest first. */
export async function readArchiveChecks(
  redis: Pick<Redis, 'hvals'>,
  now: Date,
): Promise<ArchiveCheck[]> {
  const checks = (await redis.hvals(CHECKS_KEY)).map((text) => JSON.parse(text) as ArchiveCheck);
  return checks
    .filter(({ at }) => now.getTime() - Date.parse(at) < VALID_MS)
    .toSorted((a, b) => b.lost - a.lost);
}
