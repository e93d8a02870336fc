import { hostname } from 'node:os';
import type { Job } from 'bullmq';
import type { OpsWorker } from '../../api/schemas/operations.ts';
import { QUEUE_NAMES, type Queues } from './queues.ts';

/** Separator between queue and worker in the names of Redis connections. */
const WORKER_NAME_SEPARATOR = ':w:';

/**
 * Returns the name of this process's workers, which consists of host and process id. Connections and jobs use this
 * name.
 */
export function workerName(host = hostname(), pid = process.pid): string {
  // Connection names cannot contain blanks. The last colon separates host and process id.
  return `${host.replaceAll(/[^\w.-]/g, '-')}:${pid}`;
}

/** Lists the connected workers by host. Lists each process once. */
export async function connectedWorkers(queues: Pick<Queues, 'queue'>): Promise<OpsWorker[]> {
  const connections = await Promise.all(
    QUEUE_NAMES.map(async (name) => {
      const queue = queues.queue(name);
      const [clients, active] = await Promise.all([queue.getWorkers(), queue.getJobs(['active'])]);
      const names = clients.map(
        ({ rawname = '' }) => rawname.split(WORKER_NAME_SEPARATOR)[1] ?? '',
      );
      return names.map((worker) => ({ worker, does: active.filter(isBy(worker)) }));
    }),
  );
  const byName = Map.groupBy(connections.flat(), ({ worker }) => worker);
  return [...byName]
    .map(([worker, entries]) => ({
      ...parseWorkerName(worker),
      does: entries.flatMap(({ does }) => does).map((job) => job.id ?? job.name),
    }))
    .toSorted((a, b) => a.host.localeCompare(b.host) || a.pid - b.pid);
}

/** Returns the host and process id in a worker's name. */
export function parseWorkerName(worker: string): { host: string; pid: number } {
  const [host = '', pid = ''] = worker.split(/:(?=\d+$)/);
  return { host: host === '' ? 'not known' : host, pid: Number(pid) };
}

function isBy(worker: string) {
  return ({ processedBy }: Job) => worker !== '' && processedBy === worker;
}
