import { setTimeout as sleep } from 'node:timers/promises';
import { FlowProducer, Queue, QueueEvents } from 'bullmq';
import type { ConnectionOptions, Job } from 'bullmq';
import { openRedisClient, redisOptions } from '../../warehouse/ground/redis-address.ts';
import type { ExtractRequest } from '../../pipelines/flights/types.ts';

/**
 * The names of the queues. Any number of workers read files from `extract`; `warehouse` runs one job at a time;
 * `live` fetches live data, different kinds in parallel and each kind once.
 */
export type QueueName = 'extract' | 'warehouse' | 'live';

export type ExtractFileData = Pick<
  ExtractRequest,
  'path' | 'parts' | 'year' | 'force' | 'replaces'
> & {
  sha256: string;
};
export type LoadMonthsData = { sha256: string };

/** Progress of a running job. */
export type JobProgress = { done: number; total: number; what: string };

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

/** Only one process at a time can open DuckDB. */
const WAREHOUSE_CONCURRENCY = 1;
/** For weather, news, airport status and operators' requests: a slow job does not delay the others. */
export const LIVE_CONCURRENCY = 4;

/** An unreachable Redis must not stop a command from ending. */
const CLOSE_PATIENCE_MS = 2_000;

/** Returns connection settings for BullMQ. Commands wait while Redis is unreachable instead of failing. */
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

/** Opens the queues over one connection, without events: for reading and adding jobs, but not for following them. */
export function openQueuesWithoutEvents(redisUrl: string): {
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
    // `Queue.close` would wait while Redis is unreachable.
    close: async () => connection.disconnect(),
  };
}

/** Sets the concurrency limits that apply across all workers. Call it before a worker starts. */
export async function limitQueues(queues: Queues): Promise<void> {
  await queues.queue('warehouse').setGlobalConcurrency(WAREHOUSE_CONCURRENCY);
  await queues.queue('live').setGlobalConcurrency(LIVE_CONCURRENCY);
}

/** Returns the number of workers connected to the queue that has the fewest. */
export async function countWorkers(queues: Queues): Promise<number> {
  const counts = await Promise.all(QUEUE_NAMES.map((name) => queues.queue(name).getWorkersCount()));
  return Math.min(...counts);
}

/** Returns the job, or `undefined` if the queue does not have it. */
export async function findJob(
  queues: Pick<Queues, 'queue'>,
  ref: JobRef,
): Promise<Job | undefined> {
  return (await queues.queue(ref.queue).getJob(ref.id)) as Job | undefined;
}

/** The clients reconnect themselves. Without a listener, an error event would end the process. */
function ignore(): void {
  return undefined;
}
