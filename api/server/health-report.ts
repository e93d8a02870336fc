import { hostname } from 'node:os';
import type { Redis } from 'ioredis';
import { readNextRefresh } from '../../warehouse/live/next-refresh.ts';
import type { StoreWatch } from '../scoring/store-watch.ts';
import { API_SILENT_MS, replaceApi, writeApiReport } from '../../warehouse/live/api-reports.ts';
import type { ConditionName } from '../../warehouse/live/conditions.ts';
import { readConditions } from '../../warehouse/live/health-reports.ts';

/** Interval between two reports. Workers notice a silent API only after a much longer time. */
const INTERVAL_MS = 10_000;
/**
 * For this time after its start, a new API looks for an older API to replace. After this time, every API that was
 * killed before the start counts as silent.
 */
const REPLACE_MS = 2 * API_SILENT_MS;

type HealthReporterDeps = {
  redis: Pick<Redis, 'get' | 'hset' | 'hgetall' | 'hdel'>;
  stores: Pick<StoreWatch, 'current'>;
  now: () => Date;
};

/**
 * Reports every 10 s that this API answers. Workers notice when the reports stop. Also reads the conditions that
 * workers found. A new API removes the report of one older API that has ended. If that API was killed, workers would
 * otherwise treat it as silent for a day.
 */
export function reportHealth({ redis, stores, now }: HealthReporterDeps): {
  /** Starts the reports. The API listens on this address (host and port). */
  listens: (address: string) => void;
  conditions: () => readonly ConditionName[];
  /** Returns the time at which workers next refresh the data behind answers; undefined if unknown. */
  nextRefreshAt: () => Date | undefined;
  close: () => Promise<void>;
} {
  let conditions: readonly ConditionName[] = [];
  let nextRefreshAt: Date | undefined;
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
    // Reports start when the API listens.
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
  // Ignore errors here: workers notice missing reports, and the connection logs outages of Redis.
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
