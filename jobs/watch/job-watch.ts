import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import type { BuildReport, CheckResult } from '../../warehouse/build/reports.ts';
import { ledgerFiles, newestRun } from '../../warehouse/lake/ledger.ts';
import { closeIncident, recordNews, openIncident } from '../../warehouse/live/incidents.ts';
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
  type WatchedJob,
} from './incidents-of-jobs.ts';
import { removeLoadedMonths } from './backfill-incidents.ts';
import { stalenessOf } from './staleness.ts';
import { createWebhook } from './webhook.ts';

export type JobWatchDeps = DeliveryDeps & {
  paths: Pick<DataPaths, 'runsDir'>;
  /** Returns signals for everything that is stale, or is fresh again. */
  staleness: () => Promise<Signal[]>;
  /** Called when an incident began or ended. */
  onChange?: (() => void) | undefined;
};

export type WatchConfig = {
  dataDir: string;
  notify: { url: string; secret: string } | undefined;
  staleAfterDays: number | undefined;
};

/** Staleness is checked after these jobs, which are all jobs that may add new data. */
const DATA_JOBS = new Set(['nightly', 'publish', 'look-for-months', 'refresh-weather']);

/**
 * Records incidents in Redis, where every worker sees the incidents. Sends one notice when an incident begins and one
 * notice when the incident is resolved. If a worker is killed before it sends a notice, the notice is sent after the
 * next job of any worker.
 */
export function createJobWatch(deps: JobWatchDeps): JobWatch {
  const { redis, paths, staleness, onChange, log, now } = deps;
  const sending = createRunner(createDelivery(deps), (err) => log.warn({ err }, 'notice not sent'));
  let recording = Promise.resolve();
  // Signals are handled in order, because the end of an incident must not overtake its beginning. A slow address does
  // not delay the records.
  const enqueue = (work: () => Promise<void>) => {
    recording = recording
      .then(work)
      .catch((err: unknown) => log.warn({ err }, 'incident not recorded'))
      .then(sending.start);
  };
  const applyAll = async (signals: readonly Signal[]) => {
    let isChanged = false;
    for (const signal of signals) {
      if (await applySignal(signal, deps)) isChanged = true;
    }
    if (isChanged) onChange?.();
  };
  const stalenessAfter = async ({ name }: WatchedJob) => (DATA_JOBS.has(name) ? staleness() : []);
  return {
    done: (job, result) =>
      enqueue(async () => {
        const signals = signalsOfDone(job, result, await lastChecks(paths));
        await applyAll([...signals, ...(await stalenessAfter(job))]);
        if (await removeLoadedMonths(redis, job, result, now())) onChange?.();
        const news = modelNews(job, result);
        if (news) await recordNews(redis, { ...news, job: job.name }, now());
      }),
    failed: (job, error) =>
      enqueue(async () => {
        const signals = signalsOfFailed(job, error, await lastChecks(paths));
        await applyAll([...signals, ...(await stalenessAfter(job))]);
      }),
    signal: (signals) => enqueue(() => applyAll(signals)),
    waitUntilDone: async () => {
      await recording;
      await sending.waitUntilDone();
    },
  };
}

/** Runs `work`, never twice at the same time. A start during a run makes `work` run once more, unless the run fails. */
function createRunner(work: () => Promise<void>, onError: (error: unknown) => void) {
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
      onError(error);
    } finally {
      isRunning = false;
    }
  };
  return {
    start: () => {
      isDue = true;
      if (!isRunning) running = run();
    },
    waitUntilDone: () => running,
  };
}

/** Opens or closes the incident of a signal. Returns whether anything changed. */
async function applySignal(signal: Signal, { redis, now }: JobWatchDeps): Promise<boolean> {
  const { key, kind } = signal;
  if (signal.isResolved) return closeIncident(redis, key, now());
  const { text, months } = signal;
  const since = now().toISOString();
  return openIncident(redis, { key, kind, text, since, ...(months && { months }) });
}

async function lastChecks(paths: Pick<DataPaths, 'runsDir'>): Promise<CheckResult[]> {
  const run = await newestRun(ledgerFiles(paths), ['build', 'rebuild'], 'done');
  return (run?.detail as BuildReport | undefined)?.checks ?? [];
}

/** Opens the job watch of a data folder, with the address of notices and the limit of staleness from the settings. */
export function openJobWatch(
  { dataDir, notify, staleAfterDays }: WatchConfig,
  redis: Redis,
  log: Pick<Logger, 'warn'>,
  onChange?: () => void,
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
      const fetchTimes = [...(await readForecasts(redis)).values()].map(
        ({ fetchedAt }) => fetchedAt,
      );
      const newest = { flights, levels, forecast: fetchTimes.toSorted().at(-1) };
      return stalenessOf(newest, now(), staleAfterDays);
    },
    onChange,
    log,
    now,
  });
}
