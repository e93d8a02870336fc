import { hostname } from 'node:os';
import type { Redis } from 'ioredis';
import { readNextRefresh } from '../../warehouse/live/next-refresh.ts';
import type { StoreWatch } from '../scoring/store-watch.ts';
import { API_SILENT_MS, replaceApi, writeApiReport } from '../../warehouse/live/api-reports.ts';
import type { ConditionName } from '../../warehouse/live/conditions.ts';
import { readConditions } from '../../warehouse/live/health-reports.ts';

/** Time between two reports. Workers report an API only after it has been silent for much longer. */
const INTERVAL_MS = 10_000;
/** After this time, each API that was killed before this API started has been silent for long enough to be replaced. */
const REPLACE_MS = 2 * API_SILENT_MS;

type HealthReporterDeps = {
  redis: Pick<Redis, 'get' | 'hset' | 'hgetall' | 'hdel'>;
  stores: Pick<StoreWatch, 'current'>;
  now: () => Date;
};

/**
 * Reports every 10 s that this API answers, so that workers notice when it does not, and reads the conditions that
 * workers found. A new API replaces one that was killed, whose report would say for a day that it does not answer.
 */
export function reportHealth({ redis, stores, now }: HealthReporterDeps): {
  /** Begins the reports. The API now listens on this host and port. */
  listens: (address: string) => void;
  conditions: () => readonly ConditionName[];
  /** Returns when workers next refresh the data behind answers (ISO); undefined if unknown. */
  nextRefreshAt: () => string | undefined;
  close: () => Promise<void>;
} {
  let conditions: readonly ConditionName[] = [];
  let nextRefreshAt: string | undefined;
  let address: string | undefined;
  let hasReported = false;
  let mayReplace = false;
  const startedAt = now();
  const report = async (name: string, at: Date) => {
    const problem = stores.current() ? {} : { problem: 'it has no score store' };
    const isNew = await writeApiReport(redis, { address: name, at: at.toISOString(), ...problem });
    if (!hasReported) mayReplace = isNew;
    hasReported = true;
  };
  const exchange = async () => {
    const at = now();
    // Before the API listens, nobody expects an answer.
    if (address !== undefined) {
      await report(address, at);
      if (mayReplace) {
        const isDone = await replaceApi(redis, startedAt, at);
        mayReplace = !isDone && at.getTime() - startedAt.getTime() < REPLACE_MS;
      }
    }
    conditions = await readConditions(redis);
    nextRefreshAt = await readNextRefresh(redis);
  };
  // The workers notice that the reports are missing; the connection itself logs outages of Redis.
  const exchangeSafely = () => void exchange().catch(() => undefined);
  exchangeSafely();
  const timer = setInterval(exchangeSafely, INTERVAL_MS).unref();
  return {
    listens: (place) => {
      address = `${place} on ${hostname()}`;
      exchangeSafely();
    },
    conditions: () => conditions,
    nextRefreshAt: () => nextRefreshAt,
    close: async () => {
      clearInterval(timer);
      if (address === undefined) return;
      const last = { address, at: now().toISOString(), hasEnded: true } as const;
      await writeApiReport(redis, last).catch(() => undefined);
    },
  };
}
