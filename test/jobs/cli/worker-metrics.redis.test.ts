import test, { type ExecutionContext } from 'ava';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { openWorkerMetrics } from '../../../jobs/cli/worker-metrics.ts';
import { requestLive, requestStep } from '../../../jobs/queue/requests.ts';
import { type Schedule, schedulesOf } from '../../../jobs/queue/schedules.ts';
import { DEFAULT_TIMES } from '../../../jobs/queue/schedule-times.ts';
import { SourceFormatError } from '../../../warehouse/errors.ts';
import { hasAllowedLabels } from '../../helpers/allowed-labels.ts';
import { startRedis } from '../../helpers/redis.ts';
import { checkMetrics, scrape, scrapeUntil, sumSamples } from '../../helpers/scrape.ts';
import { IDLE_KEYRING, queueWorld } from '../helpers/queue-world.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const log = pino({ level: 'silent' });
const NEWS = { feeds: 1, failed: [], read: 1, relevant: 1, kept: 1 };
const SCHEDULES = schedulesOf(DEFAULT_TIMES);
const news = SCHEDULES.filter(({ id }) => id === 'news').map((one): Schedule => ({
  ...one,
  pattern: '0 0 1 1 *',
}));

/** Opens the metrics of a worker with this Redis on a free port. */
async function metricsOver(t: ExecutionContext, redisUrl: string, redis: Redis) {
  const dataDir = await tempDir(t);
  const home = { place: 's3://lake', check: async () => undefined };
  const conditions = () => new Set(['keys.lost'] as const);
  const parts = { redisUrl, redis, dataDir, log, schedules: SCHEDULES, home, conditions };
  const metrics = await openWorkerMetrics({ host: '127.0.0.1', port: 0 }, parts);
  t.teardown(metrics.close);
  return metrics;
}

test('metrics show waiting jobs, how jobs ended, and when a schedule last succeeded', async (t) => {
  const { redis, queues, work, follow } = await queueWorld(t);
  const client = new Redis(redis.url);
  t.teardown(() => client.disconnect());
  const metrics = await metricsOver(t, redis.url, client);

  const waiting = await requestLive(queues, 'refresh-news');
  const before = await scrapeUntil(
    metrics.port,
    'the job has waited',
    (samples) => sumSamples(samples, 'headwind_queue_oldest_wait_seconds', { queue: 'live' }) > 0,
  );
  t.is(sumSamples(before, 'headwind_queue_jobs', { queue: 'live', state: 'waiting' }), 1);
  t.is(sumSamples(before, 'headwind_queue_workers'), 0);
  t.is(sumSamples(before, 'headwind_schedule_last_success_timestamp_seconds'), 0);

  const bad = () => Promise.reject(new SourceFormatError('bts', 'x'));
  const steps = { refreshNews: async () => NEWS, buildFeatures: bad };
  const { onJobEnd } = metrics;
  const startedAt = Date.now() / 1000;
  await work(steps, IDLE_KEYRING, { onJobEnd, schedules: news, redis: client, isService: true });
  await follow(waiting);
  await t.throwsAsync(follow(await requestStep(queues, 'build-features')));
  const samples = await scrapeUntil(
    metrics.port,
    'the success is recorded',
    (found) => sumSamples(found, 'headwind_schedule_last_success_timestamp_seconds') > 0,
  );
  const schedule = { schedule: 'news' };
  t.true(
    sumSamples(samples, 'headwind_schedule_last_success_timestamp_seconds', schedule) >= startedAt,
  );
  t.true(sumSamples(samples, 'headwind_schedule_kept_timestamp_seconds', schedule) > 0);
  // The interval comes from the registered schedule, not from the settings of the process that serves the metrics.
  t.is(sumSamples(samples, 'headwind_schedule_interval_seconds', schedule), 366 * 86_400);
  const done = { job_name: 'refresh-news', outcome: 'done' };
  t.is(sumSamples(samples, 'headwind_job_duration_seconds_count', done), 1);
  const failed = { job_name: 'build-features', outcome: 'failed' };
  t.is(sumSamples(samples, 'headwind_job_failures_total', failed), 1);
  t.is(sumSamples(samples, 'headwind_job_failures_total'), 1);
  t.is(sumSamples(samples, 'headwind_queue_oldest_wait_seconds'), 0);
  t.is(sumSamples(samples, 'headwind_queue_workers'), 3);
  t.true(sumSamples(samples, 'headwind_data_disk_free_bytes') > 0);
  t.is(sumSamples(samples, 'headwind_lake_up'), 1);
  t.is(sumSamples(samples, 'headwind_condition'), 1);
  t.is(sumSamples(samples, 'headwind_condition', { condition: 'keys.lost', state: 'failing' }), 1);
  t.is(await checkMetrics(metrics.port), '');
  t.deepEqual(
    samples.filter((sample) => !hasAllowedLabels(sample)),
    [],
  );
});

test('while Redis is unreachable, metrics of the process are served, and those of queues are not', async (t) => {
  const redis = await startRedis((stop) => t.teardown(stop));
  const client = new Redis(redis.url);
  client.on('error', () => undefined);
  t.teardown(() => client.disconnect());
  const metrics = await metricsOver(t, redis.url, client);
  t.is(sumSamples(await scrape(metrics.port), 'headwind_redis_up'), 1);
  await redis.stop();
  const samples = await scrapeUntil(
    metrics.port,
    'Redis is reported as down',
    (found) => sumSamples(found, 'headwind_redis_up') === 0,
  );
  t.deepEqual(
    samples.filter(({ name }) => name.startsWith('headwind_queue_')),
    [],
  );
  t.true(sumSamples(samples, 'headwind_process_resident_memory_bytes') > 0);
});
