import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import type { Problem } from '../../warehouse/live/conditions.ts';
import {
  applyProblems,
  closeIncident,
  recordNews,
  openIncident,
} from '../../warehouse/live/incidents.ts';
import { createDelivery, type DeliveryDeps } from './delivery.ts';
import {
  modelNews,
  signalsOfDone,
  signalsOfFailed,
  type JobWatch,
  type Signal,
} from './incidents-of-jobs.ts';
import { removeLoadedMonths } from './backfill-incidents.ts';
import type { NoticeHook } from './webhook.ts';

export type JobWatchDeps = DeliveryDeps & {
  /** Called when an incident began or ended. */
  onChange?: (() => void) | undefined;
};

/**
 * Records incidents in Redis, where every worker sees the incidents. Sends one notice when an incident begins and one
 * notice when the incident is resolved. If a worker is killed before it sends a notice, the notice is sent after the
 * next job of any worker.
 */
export function createJobWatch(deps: JobWatchDeps): JobWatch {
  const { redis, onChange, log, now } = deps;
  const sending = createRunner(createDelivery(deps), (err) => log.warn({ err }, 'notice not sent'));
  let recording = Promise.resolve();
  // Handles signals in order, because the end of an incident must not overtake its beginning. A slow address does not
  // delay the records.
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
  return {
    done: (job, result) =>
      enqueue(async () => {
        await applyAll(signalsOfDone(job, result));
        if (await removeLoadedMonths(redis, job, result, now())) onChange?.();
        const news = modelNews(job, result);
        if (news) await recordNews(redis, { ...news, job: job.name }, now());
      }),
    failed: (job, error) => enqueue(() => applyAll(signalsOfFailed(job, error))),
    judged: (problems: readonly Problem[]) =>
      enqueue(async () => {
        if (await applyProblems(redis, problems, now())) onChange?.();
      }),
    waitUntilDone: async () => {
      await recording;
      await sending.waitUntilDone();
    },
  };
}

/**
 * Creates a runner for `work`, which never runs twice at the same time. If `start` is called during a run, `work` runs
 * once more afterwards, unless the run fails.
 */
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

/** Opens the job watch of a worker. */
export function openJobWatch(
  redis: Redis,
  hook: NoticeHook | undefined,
  log: Pick<Logger, 'warn'>,
  onChange?: () => void,
): JobWatch {
  return createJobWatch({ redis, hook, onChange, log, now: () => new Date() });
}
