import { hostname } from 'node:os';
import type { Redis } from 'ioredis';
import type { StoreWatch } from '../scoring/store-watch.ts';
import type { ConditionName } from '../../warehouse/live/conditions.ts';
import {
  readConditions,
  removeApiReport,
  writeApiReport,
} from '../../warehouse/live/health-reports.ts';

/** Time between two reports. Workers report an API only after it has been silent for much longer. */
const INTERVAL_MS = 10_000;

type HealthReporterDeps = {
  redis: Pick<Redis, 'get' | 'hset' | 'hdel'>;
  stores: Pick<StoreWatch, 'current'>;
  now: () => Date;
};

/**
 * Reports every 10 s that this API answers, so that workers notice when it does not, and reads the conditions that
 * workers found.
 */
export function reportHealth({ redis, stores, now }: HealthReporterDeps): {
  /** Begins the reports. The API now listens on this host and port. */
  listens: (address: string) => void;
  conditions: () => readonly ConditionName[];
  close: () => Promise<void>;
} {
  let conditions: readonly ConditionName[] = [];
  let name: string | undefined;
  const exchange = async () => {
    // Before the API listens, nobody expects an answer.
    if (name !== undefined) {
      const problem = stores.current() ? {} : { problem: 'it has no score store' };
      await writeApiReport(redis, { address: name, at: now().toISOString(), ...problem });
    }
    conditions = await readConditions(redis);
  };
  // The workers notice that the reports are missing; the connection itself logs outages of Redis.
  const exchangeSafely = () => void exchange().catch(() => undefined);
  exchangeSafely();
  const timer = setInterval(exchangeSafely, INTERVAL_MS).unref();
  return {
    listens: (address) => {
      name = `${address} on ${hostname()}`;
      exchangeSafely();
    },
    conditions: () => conditions,
    close: async () => {
      clearInterval(timer);
      if (name !== undefined) await removeApiReport(redis, name).catch(() => undefined);
    },
  };
}
