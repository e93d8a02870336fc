import type { StatsFs } from 'node:fs';
import { statfs } from 'node:fs/promises';
import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { LakeHome } from '../../warehouse/lake/shared/lake-home.ts';
import type { MetricsPlace } from '../../api/config.ts';
import { addGauge } from '../../api/metrics/gauge.ts';
import { openMetricsPort } from '../../api/metrics/metrics-port.ts';
import { processRegistry } from '../../api/metrics/process-registry.ts';
import { countJobs, type JobEnded } from '../queue/job-metrics.ts';
import { addQueueGauges } from '../queue/queue-metrics.ts';
import { readQueueState } from '../queue/queue-state.ts';
import { openQueues } from '../queue/queues.ts';
import type { Schedule } from '../queue/schedules.ts';

/** What metrics are read from. */
type WorkerParts = {
  redisUrl: string;
  redis: Redis;
  dataDir: string;
  log: Logger;
  schedules: readonly Schedule[];
  /** Where the lake is. */
  home: Pick<LakeHome, 'place' | 'check'>;
};

/** Each look is a request that somebody may bill. */
const LAKE_LOOK_MS = 5 * 60_000;

export type WorkerMetrics = { port: number; jobEnded: JobEnded; close: () => Promise<void> };

/** Serves the metrics of a worker: its process, its jobs, the queues and schedules, and the disk of the data folder. */
export async function openWorkerMetrics(
  place: MetricsPlace,
  { redisUrl, redis, dataDir, log, schedules, home }: WorkerParts,
): Promise<WorkerMetrics> {
  const registry = processRegistry();
  const queues = openQueues(redisUrl);
  const refresh = addQueueGauges(registry, () =>
    readQueueState(queues, redis, schedules, new Date()),
  );
  addDisk(registry, dataDir);
  if (home.place !== undefined) addLake(registry, home);
  const jobEnded = countJobs(registry);
  try {
    const opened = await openMetricsPort(place, async () => {
      await refresh();
      return registry.metrics();
    });
    log.info({ host: place.host, port: opened.port }, 'metrics served');
    return {
      port: opened.port,
      jobEnded,
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
    help: 'Whether the place of a shared lake answered when it was last looked at, within five minutes.',
    async collect() {
      if (!last || Date.now() - last.at > LAKE_LOOK_MS) {
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
    'Room left for the data folder.',
    ({ bavail, bsize }) => bavail * bsize,
  );
  gauge(
    'headwind_data_disk_size_bytes',
    'Size of the disk the data folder is on.',
    ({ blocks, bsize }) => blocks * bsize,
  );
}

type Disk = StatsFs;
