import { getWithFormer, hgetWithFormer } from '../../../warehouse/live/former-keys.ts';
import type { Redis } from 'ioredis';
import { openRedisClient } from '../../../warehouse/ground/redis-address.ts';
import type { Job } from 'bullmq';
import { readForecasts, type Forecast } from '../../../warehouse/live/forecasts.ts';
import { readIncidents } from '../../../warehouse/live/incidents.ts';
import { NAS_STATUS_KEY, readNasStatus } from '../../../warehouse/live/nas.ts';
import {
  NEWS_ITEMS_KEY,
  NEWS_ROUTES_KEY,
  filterOngoing,
  readNewsList,
} from '../../../warehouse/live/news.ts';
import { currentVersion } from '../../../warehouse/store/redis.ts';
import type { CommandContext } from '../context.ts';
import { openQueues, QUEUE_NAMES } from '../../queue/queues.ts';
import type { JobProgress, QueueName, Queues } from '../../queue/queues.ts';
import { connectedWorkers, parseWorkerName } from '../../queue/connected-workers.ts';
import { readSchedules } from '../../queue/operations.ts';
import { openRedis } from '../../processes/redis-session.ts';
import { schedulesOf } from '../../queue/schedules.ts';
import type { QueueStatus, RedisStatus } from './types.ts';

/** Collects the status from Redis; starts the local Redis if needed. An unreachable Redis is a status, not an error. */
export async function readRedisStatus({
  config,
}: Pick<CommandContext, 'config'>): Promise<RedisStatus> {
  let session;
  try {
    session = await openRedis(config, 'status');
  } catch (error) {
    return { state: 'away', error: error instanceof Error ? error.message : String(error) };
  }
  const queues = openQueues(session.url);
  const redis = openRedisClient(session.url, { connectionName: `headwind-status-${process.pid}` });
  redis.on('error', () => undefined);
  try {
    const storeVersion = await currentVersion(redis);
    const forecasts = forecastAges(await readForecasts(redis));
    const news = await newsSummary(redis);
    const airportStatus = await airportStatusSummary(redis);
    return {
      state: 'up',
      ...(storeVersion !== undefined && { storeVersion }),
      ...(forecasts !== undefined && { forecasts }),
      ...(news !== undefined && { news }),
      ...(airportStatus !== undefined && { airportStatus }),
      incidents: await readIncidents(redis),
      queues: await Promise.all(QUEUE_NAMES.map((name) => queueStatus(queues, name))),
      workers: await connectedWorkers(queues),
      schedules: await readSchedules(queues, redis, schedulesOf(config.schedule)),
    };
  } finally {
    redis.disconnect();
    await queues.close();
    await session.close();
  }
}

async function newsSummary(redis: Redis) {
  const fetchedAt = await hgetWithFormer(redis, NEWS_ROUTES_KEY, '');
  if (fetchedAt === null) return undefined;
  const stories = filterOngoing(readNewsList(await getWithFormer(redis, NEWS_ITEMS_KEY)));
  return { stories: stories.length, fetchedAt };
}

async function airportStatusSummary(redis: Redis) {
  const status = readNasStatus(await getWithFormer(redis, NAS_STATUS_KEY));
  return status && { measures: status.programs.length, fetchedAt: status.fetchedAt };
}

function forecastAges(forecasts: Map<string, Forecast>) {
  const times = [...forecasts.values()].map(({ fetchedAt }) => fetchedAt).toSorted();
  const [oldest, newest] = [times.at(0), times.at(-1)];
  if (oldest === undefined || newest === undefined) return undefined;
  return { airports: times.length, newest, oldest };
}

async function queueStatus(queues: Queues, name: QueueName): Promise<QueueStatus> {
  const queue = queues.queue(name);
  const [workers, counts, active, delayed] = await Promise.all([
    queue.getWorkersCount(),
    queue.getJobCounts('waiting', 'waiting-children', 'prioritized', 'active', 'failed'),
    queue.getActive(),
    queue.getDelayed(),
  ]);
  const { waiting = 0, prioritized = 0, failed = 0 } = counts;
  return {
    queue: name,
    workers,
    waiting: waiting + prioritized + (counts['waiting-children'] ?? 0),
    active: counts['active'] ?? 0,
    failed,
    running: active.map(runningJob),
    // Omits the next runs of schedules, because these jobs are delayed too but have no failed attempt.
    retrying: delayed
      .filter(({ attemptsMade }) => attemptsMade > 0)
      .map(({ id, name: job, attemptsMade, failedReason }) => ({
        job: id ?? job,
        attempts: attemptsMade,
        why: failedReason,
      })),
  };
}

function runningJob(job: Job): QueueStatus['running'][number] {
  const { done, total, what } = job.progress as Partial<JobProgress>;
  return {
    job: job.id ?? job.name,
    since: new Date(job.processedOn ?? job.timestamp).toISOString(),
    ...(total !== undefined && { progress: `${done} of ${total}, ${what}` }),
    ...(job.processedBy !== undefined && { host: parseWorkerName(job.processedBy).host }),
  };
}
