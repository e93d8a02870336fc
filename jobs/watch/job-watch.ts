import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import type { BuildReport, CheckResult } from '../../warehouse/build/reports.ts';
import { ledgerFiles, newestRun } from '../../warehouse/lake/ledger.ts';
import { closeIncident, openIncident } from '../../warehouse/live/incidents.ts';
import { readForecasts } from '../../warehouse/live/forecasts.ts';
import { dataPaths, type DataPaths } from '../../warehouse/paths.ts';
import { readLevelSnapshot, readSnapshot } from '../../warehouse/snapshot.ts';
import {
  modelNews,
  signalsOfDone,
  signalsOfFailed,
  type JobWatch,
  type Signal,
  type ToldJob,
} from './incidents-of-jobs.ts';
import { stalenessOf } from './staleness.ts';
import { createWebhook, type SendNotice } from './webhook.ts';

export type JobWatchDeps = {
  redis: Pick<Redis, 'hget' | 'hdel' | 'hsetnx'>;
  paths: Pick<DataPaths, 'runsDir'>;
  /** Absent: incidents are only kept. */
  send: SendNotice | undefined;
  /** What is stale, or is not any more. */
  staleness: () => Promise<Signal[]>;
  log: Pick<Logger, 'warn'>;
  now: () => Date;
};

export type WatchConfig = {
  dataDir: string;
  notify: { url: string; secret: string } | undefined;
  staleAfterDays: number | undefined;
};

/** The jobs after which it is looked whether something grew stale: all that bring something new. */
const BRINGING = new Set(['nightly', 'publish', 'look-for-months', 'refresh-weather']);

/** Keeps incidents in Redis and tells each once, and once more when it is over. */
export function createJobWatch(deps: JobWatchDeps): JobWatch {
  const { paths, send, staleness, log } = deps;
  let telling = Promise.resolve();
  // One after another: what is well again must not overtake what was not.
  const tell = (work: () => Promise<void>) => {
    telling = telling.then(work).catch((err: unknown) => log.warn({ err }, 'notice not sent'));
  };
  const signalAll = async (job: ToldJob, signals: Signal[]) => {
    const stale = BRINGING.has(job.name) ? await staleness() : [];
    for (const signal of [...signals, ...stale]) await follow(signal, deps);
  };
  return {
    done: (job, result) =>
      tell(async () => {
        await signalAll(job, signalsOfDone(job, result, await lastChecks(paths)));
        const news = modelNews(job, result);
        if (news) await send?.({ type: news.kind, text: news.text, data: { job: job.name } });
      }),
    failed: (job, error) =>
      tell(async () => signalAll(job, signalsOfFailed(job, error, await lastChecks(paths)))),
    signal: (signals) =>
      tell(async () => {
        for (const signal of signals) await follow(signal, deps);
      }),
    settled: () => telling,
  };
}

/** A notice that nobody took is as if it had not been: the next run tells it. */
async function follow(signal: Signal, { redis, send, now }: JobWatchDeps): Promise<void> {
  const { key, kind } = signal;
  if (signal.isWell) {
    const incident = await closeIncident(redis, key);
    if (!incident) return;
    const data = { key, since: incident.since };
    const text = `Well again: ${key}`;
    await send?.({ type: `${kind}.over`, text, data }).catch(async (error: unknown) => {
      await openIncident(redis, incident);
      throw error;
    });
    return;
  }
  const { text } = signal;
  const since = now().toISOString();
  if (!(await openIncident(redis, { key, kind, text, since }))) return;
  await send?.({ type: kind, text, data: { key, since } }).catch(async (error: unknown) => {
    await closeIncident(redis, key);
    throw error;
  });
}

async function lastChecks(paths: Pick<DataPaths, 'runsDir'>): Promise<CheckResult[]> {
  const run = await newestRun(ledgerFiles(paths), ['build', 'rebuild'], 'done');
  return (run?.detail as BuildReport | undefined)?.checks ?? [];
}

/** The watch of a data folder: who is told, and what may grow stale, are settings. */
export function openJobWatch(
  { dataDir, notify, staleAfterDays }: WatchConfig,
  redis: Redis,
  log: Pick<Logger, 'warn'>,
  now: () => Date = () => new Date(),
): JobWatch {
  const paths = dataPaths(dataDir);
  return createJobWatch({
    redis,
    paths,
    send: notify && createWebhook(notify, now),
    staleness: async () => {
      const flights = (await readSnapshot(paths)).at(-1)?.month;
      const levels = (await readLevelSnapshot(paths)).at(-1)?.month;
      const fetched = [...(await readForecasts(redis)).values()].map(({ fetchedAt }) => fetchedAt);
      const newest = { flights, levels, forecast: fetched.toSorted().at(-1) };
      return stalenessOf(newest, now(), staleAfterDays);
    },
    log,
    now,
  });
}
