import type { Gauge, Registry } from 'prom-client';
import { addGauge } from '../../api/metrics/gauge.ts';
import type { QueueState } from './queue-state.ts';

/** Redis answers in a millisecond; a scrape waits no longer than this for it. */
const PATIENCE_MS = 1_000;

/**
 * Adds what waits in the queues and when schedules last came to a good end; the function that comes back reads it anew and is
 * to be called before each scrape. While Redis is away there are no such series, and `headwind_redis_up` is 0.
 */
export function addQueueGauges(
  registry: Registry,
  read: () => Promise<QueueState>,
): () => Promise<void> {
  const up = addGauge(registry, {
    name: 'headwind_redis_up',
    help: '1 while Redis answers, 0 while it does not.',
  });
  const show = [queueGauges(registry), scheduleGauges(registry)];
  let reading: Promise<QueueState | undefined> | undefined;
  return async () => {
    // While Redis is away a read waits for it: another would only wait beside it.
    reading ??= read()
      .catch(() => undefined)
      .finally(() => (reading = undefined));
    const state = await Promise.race([reading, afterwards(PATIENCE_MS)]);
    up.set(state === undefined ? 0 : 1);
    for (const one of show) one(state ?? { queues: [], schedules: [] });
  };
}

function queueGauges(registry: Registry): (state: QueueState) => void {
  const jobs = addGauge(registry, {
    name: 'headwind_queue_jobs',
    help: 'Jobs in a queue by state; the next run of a schedule is delayed.',
    labelNames: ['queue', 'state'],
  });
  const oldest = addGauge(registry, {
    name: 'headwind_queue_oldest_wait_seconds',
    help: 'How long the job has waited that has waited longest; 0 while none waits.',
    labelNames: ['queue'],
  });
  const workers = addGauge(registry, {
    name: 'headwind_queue_workers',
    help: 'Workers connected to a queue.',
    labelNames: ['queue'],
  });
  return ({ queues }) => {
    for (const gauge of [jobs, oldest, workers]) gauge.reset();
    for (const one of queues) {
      const { queue } = one;
      for (const [state, count] of Object.entries(one.jobs)) jobs.set({ queue, state }, count);
      oldest.set({ queue }, one.oldestWaitS);
      workers.set({ queue }, one.workers);
    }
  };
}

function scheduleGauges(registry: Registry): (state: QueueState) => void {
  const gauge = (name: string, help: string): Gauge<'schedule'> =>
    addGauge(registry, { name, help, labelNames: ['schedule'] });
  const since = gauge(
    'headwind_schedule_kept_timestamp_seconds',
    'Since when the schedule is kept, as Unix time.',
  );
  const succeeded = gauge(
    'headwind_schedule_last_success_timestamp_seconds',
    'When what the schedule asks for last came to a good end; 0 while it never did.',
  );
  const interval = gauge(
    'headwind_schedule_interval_seconds',
    'The longest time between two runs of the schedule.',
  );
  return ({ schedules }) => {
    for (const one of [since, succeeded, interval]) one.reset();
    for (const { id: schedule, everyS, ...marks } of schedules) {
      interval.set({ schedule }, everyS);
      succeeded.set({ schedule }, (marks.succeeded ?? 0) / 1000);
      if (marks.since !== undefined) since.set({ schedule }, marks.since / 1000);
    }
  };
}

async function afterwards(ms: number): Promise<undefined> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(undefined), ms).unref();
  });
}
