import { hostname } from 'node:os';
import type { Job } from 'bullmq';
import type { WorkerSeen } from '../../api/schemas/operations.ts';
import { QUEUE_NAMES, type Queues } from './queues.ts';

/** Between the name of a queue and that of a worker in what Redis calls its connection. */
const NAMED = ':w:';

/** What a worker of this process is called, on its connections and in the jobs it does: host and process. */
export function workerName(host = hostname(), pid = process.pid): string {
  // Names of connections have no blanks, and the last colon divides.
  return `${host.replaceAll(/[^\w.-]/g, '-')}:${pid}`;
}

/** The workers that are connected now, each process once, by host; those of an older version have no name. */
export async function connectedWorkers(queues: Pick<Queues, 'queue'>): Promise<WorkerSeen[]> {
  const seen = await Promise.all(
    QUEUE_NAMES.map(async (name) => {
      const queue = queues.queue(name);
      const [clients, active] = await Promise.all([queue.getWorkers(), queue.getJobs(['active'])]);
      const names = clients.map(({ rawname = '' }) => rawname.split(NAMED)[1] ?? '');
      return names.map((worker) => ({ worker, does: active.filter(isBy(worker)) }));
    }),
  );
  const byName = Map.groupBy(seen.flat(), ({ worker }) => worker);
  return [...byName]
    .map(([worker, all]) => ({
      ...placeOf(worker),
      does: all.flatMap(({ does }) => does).map((job) => job.id ?? job.name),
    }))
    .toSorted((a, b) => a.host.localeCompare(b.host) || a.pid - b.pid);
}

/** Where a worker of that name is. */
export function placeOf(worker: string): { host: string; pid: number } {
  const [host = '', pid = ''] = worker.split(/:(?=\d+$)/);
  return { host: host === '' ? 'not known' : host, pid: Number(pid) };
}

function isBy(worker: string) {
  return ({ processedBy }: Job) => worker !== '' && processedBy === worker;
}
