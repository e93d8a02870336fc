import { randomUUID } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import {
  removeActiveLake,
  readActiveLakes,
  recordActiveLake,
  type ActiveLake,
} from '../../warehouse/live/lakes.ts';
import type { JobWatch, Signal } from './incidents-of-jobs.ts';

export type LakeWatchDeps = {
  dataDir: string;
  /** Place of a shared lake. Workers with equal places work on the same lake. */
  place?: string | undefined;
  redis: Pick<Redis, 'hset' | 'hdel' | 'hvals'>;
  watch: Pick<JobWatch, 'signal'>;
  log: Pick<Logger, 'warn' | 'error'>;
  host?: string;
  now?: () => Date;
};

export type LakeWatch = {
  /** Checks now. A timer also checks every minute. */
  check: () => Promise<void>;
  close: () => Promise<void>;
};

const CHECK_INTERVAL_MS = 60_000;

/**
 * Reports when workers of one Redis work on different lakes. Each of these workers would build and publish only the
 * months of its own lake, and each publish would replace the publish before.
 */
export async function watchLakes(deps: LakeWatchDeps): Promise<LakeWatch> {
  const { dataDir, place, redis, watch, log, host = hostname(), now = () => new Date() } = deps;
  const id = place ?? (await ensureLakeId(dataDir));
  let wasResolved = true;
  const check = async () => {
    await recordActiveLake(redis, { id, host, dataDir, at: now().toISOString() });
    const lakes = await readActiveLakes(redis, now());
    const signal = toLakesSignal(lakes);
    if (!signal.isResolved && wasResolved) log.error({ lakes }, signal.text);
    wasResolved = signal.isResolved;
    watch.signal([signal]);
  };
  const checkSafely = async () => {
    await check().catch((err: unknown) => log.warn({ err }, 'check of lakes failed'));
  };
  await checkSafely();
  const timer = setInterval(() => void checkSafely(), CHECK_INTERVAL_MS).unref();
  return {
    check,
    close: async () => {
      clearInterval(timer);
      await removeActiveLake(redis, id).catch(() => undefined);
    },
  };
}

/** Returns the signal about the lakes that workers use. The signal is resolved if there is only one lake. */
export function toLakesSignal(lakes: readonly ActiveLake[]): Signal {
  const base = { key: 'lakes', kind: 'lakes.differ' } as const;
  if (lakes.length < 2) return { ...base, isResolved: true };
  const places = lakes.map(({ host, dataDir }) => `${dataDir} on ${host}`).join(', ');
  const text = `Workers use different lakes: ${places}. Each publishes only its own months: share one lake with LAKE_URL`;
  return { ...base, isResolved: false, text };
}

/** Returns the id of the lake in a data folder. The first call creates the id and stores the id in the folder. */
async function ensureLakeId(dataDir: string): Promise<string> {
  const file = join(dataDir, 'lake.id');
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, randomUUID());
  // If two workers start at once, the first link wins, and its file is complete.
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(draft);
  return readFile(file, 'utf8');
}
