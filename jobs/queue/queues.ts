import { setTimeout as sleep } from 'node:timers/promises';
import { FlowProducer, Queue, QueueEvents } from 'bullmq';
import type { ConnectionOptions, Job } from 'bullmq';
import type { Redis } from 'ioredis';
import { openRedisClient, redisOptions } from '../../warehouse/ground/redis-address.ts';
import type { ExtractRequest } from '../../pipelines/flights/types.ts';

/**
 * The names of the queues:
 * - `extract`: workers read files. The number of workers is not limited.
 * - `warehouse`: runs one job at a time.
 * - `live`: fetches live data, verifies files and makes backups. Jobs of different kinds run in parallel, but only one
 *   job of each kind runs at a time.
 */
export type QueueName = 'extract' | 'warehouse' | 'live';

export type ExtractFileData = Pick<
  ExtractRequest,
  'path' | 'parts' | 'year' | 'force' | 'replaces' | 'keepDropped'
> & {
  sha256: string;
  /**
   * Name of the file in the inbox; absent if the file comes from another folder. The inbox has its own job, which
   * reports that an inbox file failed.
   */
  inbox?: string;
};
export type LoadMonthsData = { sha256: string };

/** Progress of a running job. */
export type JobProgress = {
  done: number;
  total: number;
  what: string;
  /** Whether the job cannot start, because the disk has too little free space for it. */
  isShortOfDisk?: true;
};

/** The queues of a command, for requesting jobs and following them. */
export type Queues = {
  queue: (name: QueueName) => Queue;
  events: (name: QueueName) => QueueEvents;
  flows: FlowProducer;
  close: () => Promise<void>;
};

/** Identifies a job. */
export type JobRef = { queue: QueueName; id: string };

export const QUEUE_NAMES: readonly QueueName[] = ['extract', 'warehouse', 'live'];

/** One job at a time, because only one process at a time can open DuckDB. */
const WAREHOUSE_CONCURRENCY = 1;
/**
 * Limit for weather, news, airport status, operators' requests, verification and backups. With this limit, a slow job
 * of one kind does not delay the other kinds.
 */
export const LIVE_CONCURRENCY = 6;

/** Time limit for closing the queues. A command must be able to end even if Redis is unreachable. */
const CLOSE_PATIENCE_MS = 2_000;

/** Returns connection settings for BullMQ. While Redis is unreachable, commands wait instead of failing. */
export function queueConnection(redisUrl: string): ConnectionOptions {
  return { ...redisOptions(redisUrl), maxRetriesPerRequest: null, retryStrategy: () => 250 };
}

/** Opens the queues. Close them before the Redis session. */
export function openQueues(redisUrl: string): Queues {
  const connection = queueConnection(redisUrl);
  const queues = {
    extract: openQueue('extract'),
    warehouse: openQueue('warehouse'),
    live: openQueue('live'),
  };
  const events = {
    extract: openEvents('extract'),
    warehouse: openEvents('warehouse'),
    live: openEvents('live'),
  };
  const flows = new FlowProducer({ connection });
  flows.on('error', ignore);

  function openQueue(name: QueueName): Queue {
    return new Queue(name, { connection }).on('error', ignore);
  }

  function openEvents(name: QueueName): QueueEvents {
    return new QueueEvents(name, { connection }).on('error', ignore);
  }

  return {
    queue: (name) => queues[name],
    events: (name) => events[name],
    flows,
    close: async () => {
      const closing = Promise.all(
        [...Object.values(events), flows, ...Object.values(queues)].map((part) => part.close()),
      );
      const isClosed = await Promise.race([
        closing.then(() => true),
        sleep(CLOSE_PATIENCE_MS, false, { ref: false }),
      ]);
      if (isClosed) return;
      await Promise.all([flows, ...Object.values(queues)].map((part) => part.disconnect()));
    },
  };
}

/** Opens the queues over one connection, without events. These queues can read and add jobs, but not follow jobs. */
export function openQueuesWithoutEvents(redisUrl: string): {
  queue: (name: QueueName) => Queue;
  redis: Pick<Redis, 'hgetall'>;
  close: () => Promise<void>;
} {
  const connection = openRedisClient(redisUrl, {
    connectionName: 'headwind-operations',
    maxRetriesPerRequest: null,
    retryStrategy: () => 250,
  });
  connection.on('error', ignore);
  const open = (name: QueueName) => new Queue(name, { connection }).on('error', ignore);
  const queues = { extract: open('extract'), warehouse: open('warehouse'), live: open('live') };
  return {
    queue: (name) => queues[name],
    redis: connection,
    // Close the connection directly, because `Queue.close` would wait while Redis is unreachable.
    close: async () => connection.disconnect(),
  };
}

/**
 * Sets the limits on the number of jobs that all workers together run at a time. Call this function before a worker
 * starts.
 */
export async function limitQueues(queues: Queues): Promise<void> {
  await queues.queue('warehouse').setGlobalConcurrency(WAREHOUSE_CONCURRENCY);
  await queues.queue('live').setGlobalConcurrency(LIVE_CONCURRENCY);
}

/** For each queue, counts the workers that are connected to the queue. Returns the smallest count. */
export async function countWorkers(queues: Queues): Promise<number> {
  const counts = await Promise.all(QUEUE_NAMES.map((name) => queues.queue(name).getWorkersCount()));
  return Math.min(...counts);
}

/** Returns the job, or `undefined` if the queue does not have the job. */
export async function findJob(
  queues: Pick<Queues, 'queue'>,
  ref: JobRef,
): Promise<Job | undefined> {
  return (await queues.queue(ref.queue).getJob(ref.id)) as Job | undefined;
}

/** The clients reconnect by themselves. Without a listener, an error event would end the process. */
function ignore(): void {
  return undefined;
}
