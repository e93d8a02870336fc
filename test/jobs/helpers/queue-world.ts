import type { ExecutionContext } from 'ava';
import { pino } from 'pino';
import { follow } from '../../../jobs/cli/follow.ts';
import { openQueues, type JobRef, type Queues } from '../../../jobs/queue/queues.ts';
import type { Keyring } from '../../../warehouse/keyring/keyring.ts';
import { startWorkers, type WorkerDeps } from '../../../jobs/queue/worker.ts';
import type { PipelineSteps } from '../../../pipelines/types.ts';
import { borrowRedis } from '../../helpers/redis.ts';

export type QueueWorld = {
  redis: { url: string };
  queues: Queues;
  /** Starts a worker in this process. */
  work: (
    steps: Partial<PipelineSteps>,
    keyring?: Keyring,
    overrides?: Partial<WorkerDeps>,
  ) => Promise<void>;
  /** Follows a job and collects its notes in `notes`. */
  follow: <T>(ref: JobRef, signal?: AbortSignal) => Promise<T>;
  notes: string[];
};

/** Opens queues on a borrowed Redis, or on `own`, and closes everything at the end of the test. */
export async function queueWorld(t: ExecutionContext, own?: { url: string }): Promise<QueueWorld> {
  const redis = own ?? (await borrowRedis((stop) => t.teardown(stop)));
  const queues = openQueues(redis.url);
  t.teardown(queues.close);
  const notes: string[] = [];
  const line = {
    show: () => undefined,
    note: (note: string) => void notes.push(note),
    end: () => undefined,
  };
  return {
    redis,
    queues,
    notes,
    work: async (steps, keyring = IDLE_KEYRING, overrides = {}) => {
      const log = pino({ level: 'silent' });
      const deps = { steps: { ...idleSteps(), ...steps }, keyring, log, ...overrides };
      const workers = await startWorkers(redis.url, deps);
      t.teardown(async () => void (await workers.close(1_000)));
    },
    follow: (ref, signal = AbortSignal.timeout(60_000)) => follow(ref, { queues, line, signal }),
  };
}

async function unexpected(): Promise<never> {
  throw new Error('unexpected step');
}

/** A keyring for workers whose tests do not use keys. */
export const IDLE_KEYRING: Keyring = {
  rollOver: unexpected,
  archive: unexpected,
  compare: unexpected,
};

function idleSteps(): PipelineSteps {
  return {
    extractFile: unexpected,
    extractMonth: unexpected,
    loadMonths: unexpected,
    loadDelayCauses: unexpected,
    findMonths: unexpected,
    searchProvider: unexpected,
    restoreMonth: unexpected,
    dropMonth: unexpected,
    buildFeatures: unexpected,
    isTrainingDue: unexpected,
    train: unexpected,
    measureRecords: unexpected,
    publishStore: unexpected,
    rebuildWarehouse: unexpected,
    extractWeatherMonth: unexpected,
    loadWeatherMonth: unexpected,
    refreshWeather: unexpected,
    refreshNas: unexpected,
    refreshNews: unexpected,
    refreshRouteNews: unexpected,
  };
}
