import type { Redis } from 'ioredis';
import { openRedisClient } from '../../../warehouse/ground/redis-address.ts';
import { readForecasts, type Forecast } from '../../../warehouse/live/forecasts.ts';
import { findMissingSince, readApiReports } from '../../../warehouse/live/api-reports.ts';
import { readMachineReports } from '../../../warehouse/live/health-reports.ts';
import { readAcknowledged, readIncidents } from '../../../warehouse/live/incidents.ts';
import { readStart } from '../../../warehouse/live/starts.ts';
import { readModelFailures } from '../../../warehouse/live/model-failures.ts';
import { findWriteRefusal } from '../../../warehouse/ground/write-probe.ts';
import { readInboxFiles } from '../../../warehouse/live/inbox.ts';
import { NAS_STATUS_KEY, readNasStatus } from '../../../warehouse/live/nas.ts';
import {
  NEWS_ITEMS_KEY,
  NEWS_ROUTES_KEY,
  filterOngoing,
  readNewsList,
} from '../../../warehouse/live/news.ts';
import type { WatchCounts } from '../../../warehouse/live/ops-summary.ts';
import { countPendingWatches } from '../../../warehouse/live/watch-messages.ts';
import { countWatches } from '../../../warehouse/live/watches.ts';
import { ArchiveDamagedError } from '../../../warehouse/keyring/archive.ts';
import { createKeyring, type Keyring } from '../../../warehouse/keyring/keyring.ts';
import type { ArchiveComparison } from '../../../warehouse/keyring/lost-keys.ts';
import { openObjects } from '../../../warehouse/objects/open.ts';
import { dataPaths } from '../../../warehouse/paths.ts';
import { currentVersion } from '../../../warehouse/store/redis.ts';
import type { CommandContext } from '../context.ts';
import { openQueues, QUEUE_NAMES, type Queues } from '../../queue/queues.ts';
import { connectedWorkers } from '../../queue/connected-workers.ts';
import { openRedis } from '../../processes/redis-session.ts';
import { hasSettings } from '../../queue/schedule-changes.ts';
import { schedulesOf, type Schedule } from '../../queue/schedules.ts';
import { readQueueStatus, readScheduleStatuses } from './queues.ts';
import type { RedisStatus } from './types.ts';

type LiveStatus = Extract<RedisStatus, { state: 'up' }>;

type StatusSources = {
  redis: Redis;
  queues: Pick<Queues, 'queue'>;
  schedules: readonly Schedule[];
  keyring: Pick<Keyring, 'compare'>;
  now: Date;
};

/** Collects the status from Redis; starts the local Redis if needed. An unreachable Redis is a status, not an error. */
export async function readRedisStatus({
  config,
  now = () => new Date(),
}: Pick<CommandContext, 'config'> & Partial<Pick<CommandContext, 'now'>>): Promise<RedisStatus> {
  let session;
  try {
    session = await openRedis(config, 'status');
  } catch (error) {
    return { state: 'away', error: error instanceof Error ? error.message : String(error) };
  }
  const queues = openQueues(session.url);
  const redis = openRedisClient(session.url, { connectionName: `headwind-status-${process.pid}` });
  redis.on('error', () => undefined);
  const { archiveFile } = dataPaths(config.dataDir);
  const objects = config.lake && openObjects(config.lake);
  const keyring = createKeyring({ redis, archiveFile, now, ...(objects && { objects }) });
  try {
    const schedules = schedulesOf(config.schedule);
    return await readLiveStatus({ redis, queues, schedules, keyring, now: now() });
  } finally {
    redis.disconnect();
    await queues.close();
    await session.close();
  }
}

/** Collects the status from a Redis that answers. */
export async function readLiveStatus({
  redis,
  queues,
  schedules,
  keyring,
  now,
}: StatusSources): Promise<LiveStatus> {
  const storeVersion = await currentVersion(redis);
  const forecasts = forecastAges(await readForecasts(redis));
  const news = await newsSummary(redis);
  const airportStatus = await airportStatusSummary(redis);
  const watches = await watchCounts(redis);
  const writeRefusal = await findWriteRefusal(redis);
  const archive = await compareArchive(keyring);
  const machines = await readMachineReports(redis, now);
  const isService = machines.some((machine) => machine.isService) || (await hasSettings(redis));
  const apis = await readApiReports(redis, now);
  const noApiSince = isService ? await findMissingSince(redis, apis, now) : undefined;
  const start = await readStart(redis, now);
  return {
    state: 'up',
    ...(storeVersion !== undefined && { storeVersion }),
    ...(forecasts !== undefined && { forecasts }),
    ...(news !== undefined && { news }),
    ...(airportStatus !== undefined && { airportStatus }),
    ...(watches && { watches }),
    ...(writeRefusal !== undefined && { writeRefusal }),
    ...(archive && { lostKeys: archive.lost, unarchivedKeys: archive.unarchived }),
    inbox: await readInboxFiles(redis),
    incidents: await readIncidents(redis),
    acknowledged: await readAcknowledged(redis),
    machines,
    apis,
    ...(noApiSince !== undefined && { noApiSince }),
    ...(start && { start }),
    modelFailures: await readModelFailures(redis, now),
    queues: await Promise.all(QUEUE_NAMES.map((name) => readQueueStatus(queues, name, now))),
    workers: await connectedWorkers(queues),
    schedules: await readScheduleStatuses(queues, redis, schedules, { isService, now }),
  };
}

/**
 * Compares Redis with the archive of keys. Returns undefined if the archive is damaged; the job that writes the archive
 * reports the damage.
 */
async function compareArchive(
  keyring: Pick<Keyring, 'compare'>,
): Promise<ArchiveComparison | undefined> {
  try {
    return await keyring.compare();
  } catch (error) {
    if (error instanceof ArchiveDamagedError) return undefined;
    throw error;
  }
}

async function newsSummary(redis: Redis) {
  const fetchedAt = await redis.hget(NEWS_ROUTES_KEY, '');
  if (fetchedAt === null) return undefined;
  const stories = filterOngoing(readNewsList(await redis.get(NEWS_ITEMS_KEY)));
  return { stories: stories.length, fetchedAt };
}

async function airportStatusSummary(redis: Redis) {
  const status = readNasStatus(await redis.get(NAS_STATUS_KEY));
  return status && { measures: status.programs.length, fetchedAt: status.fetchedAt };
}

async function watchCounts(redis: Redis): Promise<WatchCounts | undefined> {
  const [count, pending] = await Promise.all([countWatches(redis), countPendingWatches(redis)]);
  return count === 0 ? undefined : { count, pending };
}

function forecastAges(forecasts: Map<string, Forecast>) {
  const times = [...forecasts.values()].map(({ fetchedAt }) => fetchedAt).toSorted();
  const [oldest, newest] = [times.at(0), times.at(-1)];
  if (oldest === undefined || newest === undefined) return undefined;
  return { airports: times.length, newest, oldest };
}
