import type { OpsSchedule, OpsWorker } from '../../../api/schemas/operations.ts';
import { OFF } from '../../../warehouse/ground/cron.ts';
import { formatDuration, timeUntil, moment } from '../../../warehouse/ground/duration.ts';
import { count, table } from '../tables.ts';
import type { RedisStatus } from './types.ts';

/** Formats the queues, the workers of all machines, running and retrying jobs, and the schedules. */
export function queuesText(redis: RedisStatus, at: string): string {
  if (redis.state === 'away') return `Queues   unknown, as Redis is unreachable: ${redis.error}`;
  const head = ['queue', 'workers', 'waiting', 'active', 'failed'];
  const queues = redis.queues.map(({ queue, workers, waiting, active, failed }) => [
    queue,
    ...[workers, waiting, active, failed].map(count),
  ]);
  const running = redis.queues.flatMap(({ queue, running }) =>
    running.map(({ job, since, progress, host }) => {
      const where = host === undefined ? '' : ` on ${host}`;
      const part = progress === undefined ? '' : `, ${progress}`;
      return `Running  ${queue}: ${job}${where} for ${formatDuration(Date.parse(at) - Date.parse(since))}${part}`;
    }),
  );
  const retrying = redis.queues.flatMap((queue) =>
    queue.retrying.map(({ job, attempts, why }) => {
      const failed = `${attempts} failed attempt${attempts > 1 ? 's' : ''}`;
      return `Retrying ${queue.queue}: ${job} after ${failed}: ${why}`;
    }),
  );
  const schedules = redis.schedules.flatMap((schedule) => scheduleLines(schedule, at));
  const workers = (redis.workers ?? []).map(workerText);
  return [table(head, queues), ...workers, ...running, ...retrying, ...schedules].join('\n');
}

/** Formats a schedule in one or two lines: its next run, the change by an operator, and the outcome of its last run. */
export function scheduleLines(schedule: OpsSchedule, at: string): string[] {
  const { id, what, changed, setting, last } = schedule;
  const change =
    changed === undefined
      ? ''
      : `; changed by ${changed.by} at ${moment(changed.at)}, the setting is ${setting}`;
  const lines = [`Schedule ${id} (${what}): ${nextRunText(schedule, at)}${change}`];
  if (last === undefined) return lines;
  const text = last.text === undefined ? '' : `: ${last.text}`;
  const outcome = last.isOk ? 'ended well' : 'failed';
  return [...lines, `         last run ${outcome} at ${moment(last.at)}${text}`];
}

function nextRunText({ pattern, tz, next, isPaused }: OpsSchedule, at: string): string {
  if (isPaused) return 'paused';
  if (pattern === OFF) return 'off';
  const times = `${pattern} (${tz})`;
  return next === undefined
    ? `${times}, not active yet; starting the service activates it`
    : `${times}, next ${moment(next)}, ${timeUntil(next, at)}`;
}

function workerText({ host, pid, does }: OpsWorker): string {
  const where = pid === 0 ? host : `${host}, process ${pid}`;
  return `Worker   ${where}: ${does.length === 0 ? 'idle' : `runs ${does.join(', ')}`}`;
}
