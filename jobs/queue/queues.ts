import { setTimeout as sleep } from 'node:timers/promises';
import { FlowProducer, Queue, QueueEvents } from 'bullmq';
import type { ConnectionOptions, Job } from 'bullmq';
import { openRedisClient, redisOptions } from '../../warehouse/ground/redis-address.ts';
import type { ExtractRequest } from '../../pipelines/flights/types.ts';

/**
 * The queues there are: files are read by any number of workers, the warehouse is open to one job at a time, and live
 * inputs are fetched beside each other, each kind once.
 */
export type QueueName = 'extract' | 'warehouse' | 'live';

export type ExtractFileData = Pick<
  ExtractRequest,
  'path' | 'parts' | 'year' | 'force' | 'replaces'
> & {
  sha256: string;
};
export type LoadMonthsData = { sha256: string };

/** What a job says of itself while it runs. */
export type JobProgress = { done: number; total: number; what: string };

/** The queues as a command uses them: to ask for work and to watch it. */
export type Queues = {
  queue: (name: QueueName) => Queue;
  events: (name: QueueName) => QueueEvents;
  flows: FlowProducer;
  close: () => Promise<void>;
};

/** Where a job is to be found. */
export type JobRef = { queue: QueueName; id: string };

export const QUEUE_NAMES: readonly QueueName[] = ['extract', 'warehouse', 'live'];

/** DuckDB is opened by one process at a time. */
const WAREHOUSE_CONCURRENCY = 1;
/** Weather, news, airport status and what operators ask for: one that is slow keeps none of the others waiting. */
export const LIVE_CONCURRENCY = 4;

/** A Redis that is gone for good must not keep a command from ending. */
const CLOSE_PATIENCE_MS = 2_000;

/** Connection settings for BullMQ; commands wait for a Redis that is away instead of failing. */
export function queueConnection(redisUrl: string): ConnectionOptions {
  return { ...redisOptions(redisUrl), maxRetriesPerRequest: null, retryStrategy: () => 250 };
}

/** Opens the queues; close them before the Redis session. */
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

/** The queues alone, over one connection, for who looks at them and adds to them but follows no job. */
export function openQueuesOnly(redisUrl: string): {
  queue: (name: QueueName) => Queue;
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
    // The queues' own closing waits for a Redis that is away.
    close: async () => connection.disconnect(),
  };
}

/** Makes the limits that hold across all workers; to be called before a worker starts. */
export async function limitQueues(queues: Queues): Promise<void> {
  await queues.queue('warehouse').setGlobalConcurrency(WAREHOUSE_CONCURRENCY);
  await queues.queue('live').setGlobalConcurrency(LIVE_CONCURRENCY);
}

/** How many workers are connected now to the queue that has the fewest. */
export async function countWorkers(queues: Queues): Promise<number> {
  const counts = await Promise.all(QUEUE_NAMES.map((name) => queues.queue(name).getWorkersCount()));
  return Math.min(...counts);
}

/** The job, or `undefined` when there is none of that id. */
export async function findJob(
  queues: Pick<Queues, 'queue'>,
  ref: JobRef,
): Promise<Job | undefined> {
  return (await queues.queue(ref.queue).getJob(ref.id)) as Job | undefined;
}

/** A Redis that went away comes back; without a listener its error would end the process. */
function ignore(): void {
  return undefined;
}
