import type { Redis } from 'ioredis';
import { isRecent, readReports, writeReport, type Report } from './reports.ts';

/** What the processes of an API behind one address report. */
export type ApiReport = Report & {
  /** `host:port` and the name of the machine. */
  address: string;
  /** Why calls cannot be answered; absent if they can. */
  problem?: string;
  /** Whether the API was stopped in order, so that nobody expects its reports. */
  hasEnded?: true;
};

const APIS = 'hw:apis';
/** Since when workers have seen no API. The key expires if no worker looks, so that an old time has no effect. */
const MISSING_SINCE = 'hw:apis:missing-since';
const MISSING_TTL_MS = 2 * 60_000;

/** APIs renew their report every 10 s. An API whose last report is older is silent. */
export const API_SILENT_MS = 30_000;

type Reader = Pick<Redis, 'hgetall' | 'hdel'>;

/** Writes the report of an API. Returns whether no API of this address has reported within a day. */
export async function writeApiReport(
  redis: Pick<Redis, 'hset'>,
  report: ApiReport,
): Promise<boolean> {
  return writeReport(redis, APIS, report.address, report);
}

/**
 * Removes the report of one silent or ended API that a new API replaces. The replaced API has not reported since
 * `startedAt`, when the new API started. Each new API replaces one API at most, so that the number of missing APIs
 * stays true. Returns whether an API was replaced.
 */
export async function replaceApi(redis: Reader, startedAt: Date, now: Date): Promise<boolean> {
  const candidates = (await readReports<ApiReport>(redis, APIS, now))
    .filter((report) => report.hasEnded || !isRecent(report, now, API_SILENT_MS))
    .filter(({ at }) => Date.parse(at) < startedAt.getTime())
    .toSorted((a, b) => b.at.localeCompare(a.at));
  for (const { address } of candidates) {
    // Of several new APIs, only one deletes the entry.
    if ((await redis.hdel(APIS, address)) === 1) return true;
  }
  return false;
}

/** Reads the reports of all APIs that should run. A report that was not renewed says that the API does not answer. */
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

/** Forgets since when no API has reported. A service that starts has no API at first. */
export async function forgetMissingSince(redis: Pick<Redis, 'del'>): Promise<void> {
  await redis.del(MISSING_SINCE);
}

/** Returns since when no API has reported (ISO); undefined if an API reports. Remembers the time for other readers. */
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
    // If Redis refuses writes, another condition says so.
  }
  return (await redis.get(MISSING_SINCE)) ?? since;
}
