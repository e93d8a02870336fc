import type { WorkerSeen } from '../../../api/schemas/operations.ts';
import { inOneUnit } from '../../../warehouse/ground/ago.ts';
import { count, table } from '../tables.ts';
import { ahead, moment } from './times.ts';
import type { RedisStatus } from './types.ts';

/** Queues, the workers of all machines, what runs and waits, and schedules. */
export function queuesText(redis: RedisStatus, at: string): string {
  if (redis.state === 'away') return `Queues   not known: ${redis.error}`;
  const head = ['queue', 'workers', 'waiting', 'active', 'failed'];
  const queues = redis.queues.map(({ queue, workers, waiting, active, failed }) => [
    queue,
    ...[workers, waiting, active, failed].map(count),
  ]);
  const running = redis.queues.flatMap(({ queue, running }) =>
    running.map(({ job, since, progress, host }) => {
      const where = host === undefined ? '' : ` on ${host}`;
      const part = progress === undefined ? '' : `, ${progress}`;
      return `Running  ${queue}: ${job}${where} since ${inOneUnit(Date.parse(at) - Date.parse(since))}${part}`;
    }),
  );
  const retrying = redis.queues.flatMap((queue) =>
    queue.retrying.map(({ job, attempts, why }) => {
      const failed = `${attempts} failed attempt${attempts > 1 ? 's' : ''}`;
      return `Retrying ${queue.queue}: ${job} after ${failed}: ${why}`;
    }),
  );
  const schedules = redis.schedules.map(({ id, what, next }) => {
    const when =
      next === undefined
        ? 'not kept yet: it is when a worker starts'
        : `next ${moment(next)}, ${ahead(next, at)}`;
    return `Schedule ${id} (${what}): ${when}`;
  });
  const workers = (redis.workers ?? []).map(workerText);
  return [table(head, queues), ...workers, ...running, ...retrying, ...schedules].join('\n');
}

function workerText({ host, pid, does }: WorkerSeen): string {
  const where = pid === 0 ? host : `${host}, process ${pid}`;
  return `Worker   ${where}: ${does.length === 0 ? 'waits' : `at ${does.join(', ')}`}`;
}
