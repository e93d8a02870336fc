import type { Redis } from 'ioredis';

/** A report of a process about itself. The process renews it while it runs. */
export type Report = { at: string };

/** Age at which reports are deleted. */
const MAX_AGE_MS = 24 * 3_600_000;

/**
 * Writes the report of a process into a Redis hash, which maps ids to reports as JSON. Returns whether the id is new.
 */
export async function writeReport(
  redis: Pick<Redis, 'hset'>,
  hash: string,
  id: string,
  report: Report,
): Promise<boolean> {
  return (await redis.hset(hash, id, JSON.stringify(report))) === 1;
}

/** Removes the report of a process that ends. */
export async function removeReport(
  redis: Pick<Redis, 'hdel'>,
  hash: string,
  id: string,
): Promise<void> {
  await redis.hdel(hash, id);
}

/** Reads the reports of the last day, sorted by id. Deletes older reports and reports that cannot be read. */
export async function readReports<R extends Report>(
  redis: Pick<Redis, 'hgetall' | 'hdel'>,
  hash: string,
  now: Date,
): Promise<R[]> {
  const entries = Object.entries(await redis.hgetall(hash)).map(([id, text]) => ({
    id,
    report: parseReport<R>(text, now),
  }));
  const outdated = entries.filter(({ report }) => report === undefined).map(({ id }) => id);
  if (outdated.length > 0) {
    // If Redis refuses writes, the old reports remain, and reading still works.
    await redis.hdel(hash, ...outdated).catch(() => undefined);
  }
  return entries.toSorted((a, b) => a.id.localeCompare(b.id)).flatMap(({ report }) => report ?? []);
}

/** Whether the report is not older than `maxAgeMs`. */
export function isRecent({ at }: Report, now: Date, maxAgeMs: number): boolean {
  return now.getTime() - Date.parse(at) < maxAgeMs;
}

/** Parses a report; undefined if it is invalid or older than a day. */
function parseReport<R extends Report>(text: string, now: Date): R | undefined {
  try {
    const report = JSON.parse(text) as R | null;
    return typeof report?.at === 'string' && isRecent(report, now, MAX_AGE_MS) ? report : undefined;
  } catch {
    return undefined;
  }
}
