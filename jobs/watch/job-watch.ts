import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import type { BuildReport, CheckResult } from '../../warehouse/build/reports.ts';
import { ledgerFiles, newestRun } from '../../warehouse/lake/ledger.ts';
import { closeIncident, noteNews, openIncident } from '../../warehouse/live/incidents.ts';
import { readForecasts } from '../../warehouse/live/forecasts.ts';
import { dataPaths, type DataPaths } from '../../warehouse/paths.ts';
import { readLevelSnapshot, readSnapshot } from '../../warehouse/snapshot.ts';
import { createDelivery, type DeliveryDeps } from './delivery.ts';
import {
  modelNews,
  signalsOfDone,
  signalsOfFailed,
  type JobWatch,
  type Signal,
  type ToldJob,
} from './incidents-of-jobs.ts';
import { stalenessOf } from './staleness.ts';
import { createWebhook } from './webhook.ts';

export type JobWatchDeps = DeliveryDeps & {
  paths: Pick<DataPaths, 'runsDir'>;
  /** What is stale, or is not any more. */
  staleness: () => Promise<Signal[]>;
};

export type WatchConfig = {
  dataDir: string;
  notify: { url: string; secret: string } | undefined;
  staleAfterDays: number | undefined;
};

/** The jobs after which it is looked whether something grew stale: all that bring something new. */
const BRINGING = new Set(['nightly', 'publish', 'look-for-months', 'refresh-weather']);

/**
 * Keeps incidents in Redis, where every worker sees them, and tells each once, and once more when it is over: what is noted and not
 * delivered, as by a worker that was killed, is sent by the next look of any.
 */
export function createJobWatch(deps: JobWatchDeps): JobWatch {
  const { redis, paths, staleness, log, now } = deps;
  const sending = oneMore(createDelivery(deps), (err) => log.warn({ err }, 'notice not sent'));
  let noting = Promise.resolve();
  // One after another: what is well again must not overtake what was not. A slow address holds nothing of it up.
  const note = (work: () => Promise<void>) => {
    noting = noting
      .then(work)
      .catch((err: unknown) => log.warn({ err }, 'incident not noted'))
      .then(sending.start);
  };
  const noteAll = async (signals: readonly Signal[]) => {
    for (const signal of signals) await follow(signal, deps);
  };
  const staleAfter = async ({ name }: ToldJob) => (BRINGING.has(name) ? staleness() : []);
  return {
    done: (job, result) =>
      note(async () => {
        const signals = signalsOfDone(job, result, await lastChecks(paths));
        await noteAll([...signals, ...(await staleAfter(job))]);
        const news = modelNews(job, result);
        if (news) await noteNews(redis, { ...news, job: job.name }, now());
      }),
    failed: (job, error) =>
      note(async () => {
        const signals = signalsOfFailed(job, error, await lastChecks(paths));
        await noteAll([...signals, ...(await staleAfter(job))]);
      }),
    signal: (signals) => note(() => noteAll(signals)),
    settled: async () => {
      await noting;
      await sending.settled();
    },
  };
}

/** Runs the work one at a time; whatever starts it meanwhile has it run once more, unless it failed. */
function oneMore(work: () => Promise<void>, failed: (error: unknown) => void) {
  let isRunning = false;
  let isDue = false;
  let running = Promise.resolve();
  const run = async () => {
    isRunning = true;
    try {
      do {
        isDue = false;
        await work();
      } while (isDue);
    } catch (error) {
      failed(error);
    } finally {
      isRunning = false;
    }
  };
  return {
    start: () => {
      isDue = true;
      if (!isRunning) running = run();
    },
    settled: () => running,
  };
}

async function follow(signal: Signal, { redis, now }: JobWatchDeps): Promise<void> {
  const { key, kind } = signal;
  if (signal.isWell) return closeIncident(redis, key, now());
  return openIncident(redis, { key, kind, text: signal.text, since: now().toISOString() });
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
    hook: notify && createWebhook(notify, now),
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
