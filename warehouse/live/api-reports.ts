import type { Redis } from 'ioredis';
import { isRecent, readReports, writeReport, type Report } from './reports.ts';

/** Report of an API. An API may consist of several processes behind one address. */
export type ApiReport = Report & {
  /** `host:port` and the name of the machine. */
  address: string;
  /** The reason why calls cannot be answered; absent if calls can be answered. */
  problem?: string;
  /** Whether the API was stopped on purpose. No more reports are then expected from it. */
  hasEnded?: true;
};

const APIS = 'hw:apis';
/**
 * Key with the time at which the reports of all APIs ended. The key expires if no worker renews it, so that an old time
 * has no effect.
 */
const MISSING_SINCE = 'hw:apis:missing-since';
const MISSING_TTL_MS = 2 * 60_000;

/** An API renews its report every 10 s. An API whose last report is older than this is silent. */
export const API_SILENT_MS = 30_000;

type Reader = Pick<Redis, 'hgetall' | 'hdel'>;

/** Writes the report of an API. Returns true if this address sent no report within the last day. */
export async function writeApiReport(
  redis: Pick<Redis, 'hset'>,
  report: ApiReport,
): Promise<boolean> {
  return writeReport(redis, APIS, report.address, report);
}

/**
 * Removes the report of one silent or stopped API, because a new API replaces it. `startedAt` is the start of the new
 * API; the replaced API has not reported since then. A new API replaces at most one API, so that the number of missing
 * APIs remains right. Returns whether an API was replaced.
 */
export async function replaceApi(redis: Reader, startedAt: Date, now: Date): Promise<boolean> {
  const candidates = (await readReports<ApiReport>(redis, APIS, now))
    .filter((report) => report.hasEnded || !isRecent(report, now, API_SILENT_MS))
    .filter(({ at }) => Date.parse(at) < startedAt.getTime())
    .toSorted((a, b) => b.at.localeCompare(a.at));
  for (const { address } of candidates) {
    // If several new APIs start at the same time, only one of them deletes the report, and only this API replaces the
    // old one.
    if ((await redis.hdel(APIS, address)) === 1) return true;
  }
  return false;
}

/**
 * Reads the reports of all APIs that should be running. If a report was not renewed in time, its problem is that the
 * API does not answer.
 */
export async function readApiReports(redis: Reader, now: Date): Promise<ApiReport[]> {
  const reports = await readReports<ApiReport>(redis, APIS, now);
  return reports
    .filter(({ hasEnded }) => !hasEnded)
    .map((report) =>
      isRecent(report, now, API_SILENT_MS)
        ? report
        : { ...report, problem: `it has not reported since ${report.at}` },
    );
}

/**
 * Removes the saved time at which the reports of all APIs ended. A new service has no API yet, so the time of an earlier
 * run would be wrong.
 */
export async function forgetMissingSince(redis: Pick<Redis, 'del'>): Promise<void> {
  await redis.del(MISSING_SINCE);
}

/**
 * Returns the time (ISO) at which the reports of all APIs ended; undefined if an API reports. Saves the time for other
 * readers.
 */
export async function findMissingSince(
  redis: Pick<Redis, 'set' | 'get' | 'pexpire' | 'del'>,
  apis: readonly ApiReport[],
  now: Date,
): Promise<string | undefined> {
  if (apis.some((report) => isRecent(report, now, API_SILENT_MS))) {
    await redis.del(MISSING_SINCE).catch(() => undefined);
    return undefined;
  }
  const since = now.toISOString();
  try {
    await redis.set(MISSING_SINCE, since, 'PX', MISSING_TTL_MS, 'NX');
    await redis.pexpire(MISSING_SINCE, MISSING_TTL_MS);
  } catch {
    // Ignore the error: if Redis refuses writes, another condition reports this.
  }
  return (await redis.get(MISSING_SINCE)) ?? since;
}
