import { randomUUID } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { forgetLake, lakesAtWork, noteLake, type LakeAtWork } from '../../warehouse/live/lakes.ts';
import type { JobWatch, Signal } from './incidents-of-jobs.ts';

export type LakeWatchDeps = {
  dataDir: string;
  /** Of a lake that is shared: who has the same works on the same. */
  place?: string | undefined;
  redis: Pick<Redis, 'hset' | 'hdel' | 'hvals'>;
  watch: Pick<JobWatch, 'signal'>;
  log: Pick<Logger, 'warn' | 'error'>;
  host?: string;
  now?: () => Date;
};

export type LakeWatch = {
  /** Looks now; every minute it does so by itself. */
  look: () => Promise<void>;
  close: () => Promise<void>;
};

const EVERY_MS = 60_000;

/**
 * Tells when workers of one Redis work on different lakes: each would then build and publish what it alone has, and the store
 * served would be that of whoever was last.
 */
export async function watchLakes(deps: LakeWatchDeps): Promise<LakeWatch> {
  const { dataDir, place, redis, watch, log, host = hostname(), now = () => new Date() } = deps;
  const id = place ?? (await lakeId(dataDir));
  let wasAlone = true;
  const look = async () => {
    await noteLake(redis, { id, host, dataDir, at: now().toISOString() });
    const lakes = await lakesAtWork(redis, now());
    const signal = lakesSignal(lakes);
    if (!signal.isWell && wasAlone) log.error({ lakes }, signal.text);
    wasAlone = signal.isWell;
    watch.signal([signal]);
  };
  const lookSafely = async () => {
    await look().catch((err: unknown) => log.warn({ err }, 'lakes not looked at'));
  };
  await lookSafely();
  const timer = setInterval(() => void lookSafely(), EVERY_MS).unref();
  return {
    look,
    close: async () => {
      clearInterval(timer);
      await forgetLake(redis, id).catch(() => undefined);
    },
  };
}

/** What is said of the lakes that are worked on: well with one. */
export function lakesSignal(lakes: readonly LakeAtWork[]): Signal {
  const about = { key: 'lakes', kind: 'lakes.differ' } as const;
  if (lakes.length < 2) return { ...about, isWell: true };
  const places = lakes.map(({ host, dataDir }) => `${dataDir} on ${host}`).join(', ');
  const text = `Workers work on different lakes: ${places}. Each publishes what it alone has: let them share one by LAKE_URL`;
  return { ...about, isWell: false, text };
}

/** What tells the lake of a data folder from any other: made once, and gone with the folder. */
async function lakeId(dataDir: string): Promise<string> {
  const file = join(dataDir, 'lake.id');
  const made = `${file}.${randomUUID()}`;
  await writeFile(made, randomUUID());
  // Of two workers that start at once, the first names it, and what it names is whole.
  await link(made, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(made);
  return readFile(file, 'utf8');
}
