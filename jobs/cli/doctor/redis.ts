import { risksOf, type RedisSetup } from '../../processes/redis-safety.ts';
import type { QueueState } from '../../queue/queue-state.ts';
import { toLakesSignal } from '../../watch/lake-watch.ts';
import type { Incident, IncidentKind } from '../../../warehouse/live/incident-records.ts';
import { isAcknowledgeable } from '../../../warehouse/live/incidents.ts';
import type { ActiveLake } from '../../../warehouse/live/lakes.ts';
import { badFinding, doubtfulFinding, okFinding, type Finding } from './finding.ts';

/** BullMQ requires this version and warns below it. */
const MIN_VERSION = 6.2;
/** Memory is short if more than this share of `maxmemory` is used. */
const HIGH_MEMORY_SHARE = 0.8;
/** With a larger clock difference, monthly limits and sessions would begin and end at the wrong time. */
const CLOCK_MAX_MS = 2_000;
/** A schedule is overdue after 1.5 intervals plus an hour, because a scheduled job may wait for a long build. */
const OVERDUE_INTERVALS = 1.5;
const OVERDUE_S = 3_600;
/** Kinds of incidents that the doctor reports. */
const FAILED = new Set<IncidentKind>([
  'job.failed',
  'backfill.failed',
  'checks.failed',
  'month.refused',
  'keys.broken',
  'keys.lost',
  'model.failed',
]);
const RETRY_HELP = 'see make status, fix the cause, then repeat the command';

/** Checks that all workers of this Redis use the same lake. */
export function lakeFindings(lakes: readonly ActiveLake[]): Finding[] {
  const signal = toLakesSignal(lakes);
  if (!signal.isResolved) {
    return [badFinding('lakes', signal.text, 'use one DATA_DIR for all workers')];
  }
  return lakes.length === 0 ? [] : [okFinding('lakes', 'all workers use the same lake')];
}

/** Checks the setup of Redis, and whether the clock of Redis agrees with the clock of this machine. */
export function redisFindings(setup: RedisSetup, clockOffMs: number): Finding[] {
  const { version, limit, used, isAppending, sync } = setup;
  const risks = risksOf(setup).map(({ isRefused, what, help }) =>
    (isRefused ? badFinding : doubtfulFinding)('Redis', what, help),
  );
  const persistence = sync === undefined ? 'on' : `on, fsync ${sync}`;
  const versionText = `${version}, append-only ${isAppending ? persistence : 'off'}`;
  const usedPercent = `${Math.round((100 * used) / limit)} %`;
  return [
    Number.parseFloat(version) < MIN_VERSION
      ? badFinding(
          'Redis',
          `${version} is older than ${MIN_VERSION}`,
          'install a newer redis-server',
        )
      : okFinding('Redis', versionText),
    ...risks,
    ...(limit > 0 && used > HIGH_MEMORY_SHARE * limit
      ? [doubtfulFinding('Redis', `${usedPercent} of maxmemory is used`, 'raise maxmemory')]
      : []),
    Math.abs(clockOffMs) > CLOCK_MAX_MS
      ? badFinding(
          'clock',
          `differs from the clock of Redis by ${Math.round(clockOffMs / 1_000)} s`,
          'run NTP on both machines',
        )
      : okFinding('clock', 'agrees with Redis'),
  ];
}

/**
 * Reports the open incidents of jobs and keys. Does not read the queues, because they also list failed jobs that were
 * fixed later.
 */
export function jobFindings(incidents: readonly Incident[]): Finding[] {
  const failed = incidents.filter(({ kind }) => FAILED.has(kind));
  return failed.length === 0
    ? [okFinding('jobs', 'no unresolved failures')]
    : failed.map((incident) => {
        const text = `${incident.text} (since ${incident.since})`;
        if (incident.kind === 'keys.lost') return badFinding('keys', text, 'make keys-restore');
        if (incident.kind === 'model.failed') {
          return badFinding('model', text, 'make model-remove publish');
        }
        const help = isAcknowledgeable(incident)
          ? `${RETRY_HELP}; to clear the message: make acknowledge`
          : RETRY_HELP;
        return badFinding('jobs', text, help);
      });
}

/** Checks that notices are delivered, if NOTIFY_URL is set. */
export function noticeFindings(pending: number): Finding[] {
  if (pending === 0) return [okFinding('notices', 'all delivered')];
  const text = `${pending} not delivered to NOTIFY_URL yet`;
  return [
    doubtfulFinding('notices', text, 'check NOTIFY_URL; the worker keeps sending them again'),
  ];
}

/** Checks that workers are connected, and that schedules succeeded in time. */
export function queueFindings({ queues, schedules }: QueueState, now: Date): Finding[] {
  const idle = queues.filter(({ workers }) => workers === 0).map(({ queue }) => queue);
  const overdue = schedules.filter(({ succeeded, since, everyS }) => {
    // A schedule that was changed or resumed is not overdue before its first run after the change.
    const last = Math.max(succeeded ?? 0, since ?? 0);
    const limitMs = 1_000 * (OVERDUE_INTERVALS * everyS + OVERDUE_S);
    return last > 0 && now.getTime() - last > limitMs;
  });
  return [
    idle.length > 0
      ? doubtfulFinding('worker', 'no worker is connected', 'make run, or make worker')
      : okFinding('worker', `${Math.min(...queues.map(({ workers }) => workers))} connected`),
    overdue.length > 0
      ? doubtfulFinding(
          'schedules',
          `overdue: ${overdue.map(({ id }) => id).join(', ')}`,
          'keep a worker running; make status shows failures',
        )
      : okFinding('schedules', 'no schedule is overdue'),
  ];
}
