import type { Gauge, Registry } from 'prom-client';
import type { QueueState } from './queue-state.ts';
import { addGauge } from '../../api/metrics/process-registry.ts';

/** Maximum wait of a scrape. Redis usually answers in a millisecond. */
const READ_DEADLINE_MS = 1_000;

/**
 * Adds gauges for waiting jobs and the last success of each schedule. Returns a function that updates the gauges. Call
 * the returned function before each scrape. While Redis is unreachable, these series are absent and `headwind_redis_up`
 * is 0.
 */
export function addQueueGauges(
  registry: Registry,
  read: () => Promise<QueueState>,
): () => Promise<void> {
  const up = addGauge(registry, {
    name: 'headwind_redis_up',
    help: '1 if Redis answers, else 0.',
  });
  const updates = [queueGauges(registry), scheduleGauges(registry)];
  let reading: Promise<QueueState | undefined> | undefined;
  return async () => {
    // While Redis is unreachable, a read waits, so no second read is started.
    reading ??= read()
      .catch(() => undefined)
      .finally(() => (reading = undefined));
    const state = await Promise.race([reading, resolveAfter(READ_DEADLINE_MS)]);
    up.set(state === undefined ? 0 : 1);
    for (const update of updates) update(state ?? { queues: [], schedules: [] });
  };
}

function queueGauges(registry: Registry): (state: QueueState) => void {
  const jobs = addGauge(registry, {
    name: 'headwind_queue_jobs',
    help: 'Jobs in a queue by state; the next run of each schedule has the state delayed.',
    labelNames: ['queue', 'state'],
  });
  const oldest = addGauge(registry, {
    name: 'headwind_queue_oldest_wait_seconds',
    help: 'Wait of the oldest waiting job; 0 if no job waits.',
    labelNames: ['queue'],
  });
  const workers = addGauge(registry, {
    name: 'headwind_queue_workers',
    help: 'Workers connected to a queue.',
    labelNames: ['queue'],
  });
  return ({ queues }) => {
    for (const gauge of [jobs, oldest, workers]) gauge.reset();
    for (const { queue, ...current } of queues) {
      for (const [state, count] of Object.entries(current.jobs)) jobs.set({ queue, state }, count);
      oldest.set({ queue }, current.oldestWaitS);
      workers.set({ queue }, current.workers);
    }
  };
}

function scheduleGauges(registry: Registry): (state: QueueState) => void {
  const gauge = (name: string, help: string): Gauge<'schedule'> =>
    addGauge(registry, { name, help, labelNames: ['schedule'] });
  const registeredAt = gauge(
    'headwind_schedule_kept_timestamp_seconds',
    'When the schedule was first registered, as Unix time.',
  );
  const lastSuccess = gauge(
    'headwind_schedule_last_success_timestamp_seconds',
    'When the job of the schedule last succeeded, as Unix time; 0 if it never has.',
  );
  const interval = gauge(
    'headwind_schedule_interval_seconds',
    'The longest time between two runs of the schedule.',
  );
  const lastOk = gauge(
    'headwind_schedule_last_run_ok',
    '1 if the last run of the schedule succeeded, 0 if it failed.',
  );
  return ({ schedules }) => {
    for (const each of [registeredAt, lastSuccess, interval, lastOk]) each.reset();
    for (const { id: schedule, everyS, ...marks } of schedules) {
      if (marks.last) lastOk.set({ schedule }, marks.last.isOk ? 1 : 0);
      interval.set({ schedule }, everyS);
      lastSuccess.set({ schedule }, (marks.succeeded ?? 0) / 1000);
      if (marks.since !== undefined) registeredAt.set({ schedule }, marks.since / 1000);
    }
  };
}

async function resolveAfter(ms: number): Promise<undefined> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(undefined), ms).unref();
  });
}
