import type { ExecutionContext } from 'ava';
import type { Redis } from 'ioredis';
import { pino } from 'pino';
import { readConfig } from '../../../jobs/config.ts';
import {
  openHealthWatch,
  type HealthWatch,
  type HealthWatchDeps,
} from '../../../jobs/cli/health/health-watch.ts';
import { openQueuesWithoutEvents } from '../../../jobs/queue/queues.ts';
import { createKeyring } from '../../../warehouse/keyring/keyring.ts';
import { dataPaths } from '../../../warehouse/paths.ts';

type World = { redis: Redis; url: string; dataDir: string };

/** Opens the health watch of a worker with this data folder; it notifies nobody unless `changes` say so. */
export function aHealthWatch(
  t: ExecutionContext,
  { redis, url, dataDir }: World,
  changes: Partial<HealthWatchDeps> = {},
): HealthWatch {
  const queues = openQueuesWithoutEvents(url);
  t.teardown(queues.close);
  const { archiveFile } = dataPaths(dataDir);
  const health = openHealthWatch({
    config: readConfig({ DATA_DIR: dataDir, REDIS_URL: url, OFFLINE: '1' }),
    ...{ redis, queues, schedules: [], lake: 'a', isService: true },
    keyring: createKeyring({ redis, archiveFile, now: () => new Date() }),
    watch: { judged: () => undefined },
    notices: { report: () => undefined },
    log: pino({ level: 'silent' }),
    ...changes,
  });
  t.teardown(health.close);
  return health;
}
