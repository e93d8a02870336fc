import type { StatsFs } from 'node:fs';
import { statfs } from 'node:fs/promises';
import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { LakeHome } from '../../warehouse/lake/shared/lake-home.ts';
import type { MetricsAddress } from '../../api/config.ts';
import { openMetricsPort } from '../../api/metrics/metrics-port.ts';
import { createProcessRegistry, addGauge } from '../../api/metrics/process-registry.ts';
import { CONDITION_NAMES, conditionOf } from '../../warehouse/live/conditions.ts';
import type { HealthWatch } from './health/health-watch.ts';
import { countJobs, type JobEndListener } from '../queue/job-metrics.ts';
import { addQueueGauges } from '../queue/queue-metrics.ts';
import { countDeliveries } from '../queue/watch-metrics.ts';
import type { RecordDelivery } from '../queue/watch-deliveries.ts';
import { countPendingWatches } from '../../warehouse/live/watch-messages.ts';
import { readQueueState } from '../queue/queue-state.ts';
import { openQueues } from '../queue/queues.ts';
import type { Schedule } from '../queue/schedules.ts';

/** Sources of the metrics. */
type WorkerParts = {
  redisUrl: string;
  redis: Redis;
  dataDir: string;
  log: Logger;
  schedules: readonly Schedule[];
  /** Place of the lake. */
  home: Pick<LakeHome, 'place' | 'check'>;
  conditions: HealthWatch['conditions'];
};

/** Interval between checks of the lake; each check is a request that may cost money. */
const LAKE_CHECK_MS = 5 * 60_000;

export type WorkerMetrics = {
  port: number;
  onJobEnd: JobEndListener;
  onDelivery: RecordDelivery;
  close: () => Promise<void>;
};

/**
 * Serves the metrics of a worker: process, jobs, queues, schedules, watches, disk of the data
 * folder, conditions, and a shared lake.
 */
export async function openWorkerMetrics(
  place: MetricsAddress,
  { redisUrl, redis, dataDir, log, schedules, home, conditions }: WorkerParts,
): Promise<WorkerMetrics> {
  const registry = createProcessRegistry();
  const queues = openQueues(redisUrl);
  const refresh = addQueueGauges(registry, () =>
    readQueueState(queues, redis, schedules, new Date()),
  );
  addDisk(registry, dataDir);
  addConditions(registry, conditions);
  if (home.place !== undefined) addLake(registry, home);
  const onJobEnd = countJobs(registry);
  const onDelivery = countDeliveries(registry, () => countPendingWatches(redis));
  try {
    const opened = await openMetricsPort(place, async () => {
      await refresh();
      return registry.metrics();
    });
    log.info({ host: place.host, port: opened.port }, 'metrics served');
    return {
      port: opened.port,
      onJobEnd,
      onDelivery,
      close: async () => {
        await opened.close();
        await queues.close();
      },
    };
  } catch (error) {
    await queues.close();
    throw error;
  }
}

function addLake(registry: Registry, { check }: WorkerParts['home']): void {
  let last: { at: number; isUp: Promise<boolean> } | undefined;
  addGauge(registry, {
    name: 'headwind_lake_up',
    help: '1 if the shared lake answered its last check, which is at most five minutes old; otherwise 0.',
    async collect() {
      if (!last || Date.now() - last.at > LAKE_CHECK_MS) {
        const isUp = check().then(
          () => true,
          () => false,
        );
        last = { at: Date.now(), isUp };
      }
      this.set(Number(await last.isUp));
    },
  });
}

function addConditions(registry: Registry, conditions: WorkerParts['conditions']): void {
  addGauge(registry, {
    name: 'headwind_condition',
    help: '1 if the last check found the condition, otherwise 0. The state label says whether the condition makes the service failing or degraded.',
    labelNames: ['condition', 'state'],
    collect() {
      const current = conditions();
      if (current === undefined) return;
      for (const condition of CONDITION_NAMES) {
        this.set(
          { condition, state: conditionOf(condition).state },
          Number(current.has(condition)),
        );
      }
    },
  });
}

function addDisk(registry: Registry, dataDir: string): void {
  const gauge = (name: string, help: string, read: (disk: Disk) => number) =>
    addGauge(registry, {
      name,
      help,
      async collect() {
        const disk = await statfs(dataDir).catch(() => undefined);
        if (disk) this.set(read(disk));
      },
    });
  gauge(
    'headwind_data_disk_free_bytes',
    'Free space on the disk of the data folder.',
    ({ bavail, bsize }) => bavail * bsize,
  );
  gauge(
    'headwind_data_disk_size_bytes',
    'Size of the disk of the data folder.',
    ({ blocks, bsize }) => blocks * bsize,
  );
}

type Disk = StatsFs;
