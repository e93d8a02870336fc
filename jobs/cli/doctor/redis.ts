import { risksOf, type RedisSetup } from '../../processes/redis-safety.ts';
import type { QueueState } from '../../queue/queue-state.ts';
import { lakesSignal } from '../../watch/lake-watch.ts';
import type { Incident, IncidentKind } from '../../../warehouse/live/incident-records.ts';
import { isAcknowledgeable } from '../../../warehouse/live/incidents.ts';
import type { LakeAtWork } from '../../../warehouse/live/lakes.ts';
import { bad, doubtful, well, type Finding } from './finding.ts';

/** BullMQ wants this one, and warns below 6.2. */
const LEAST_VERSION = 6.2;
/** Of the limit. */
const MUCH = 0.8;
/** Beyond it limits by month and sessions go wrong at their edges. */
const CLOCK_MAX_MS = 2_000;
/** A schedule may wait for a long build before it is late. */
const LATE = 1.5;
const LATE_S = 3_600;
/** As `make status` calls them failing. */
const FAILED = new Set<IncidentKind>([
  'job.failed',
  'checks.failed',
  'month.refused',
  'keys.broken',
]);
const AGAIN = 'make status says more; ask for it again once the cause is gone';

/** Whether workers of this Redis work on one lake. */
export function lakeFindings(lakes: readonly LakeAtWork[]): Finding[] {
  const signal = lakesSignal(lakes);
  if (!signal.isWell) return [bad('lakes', signal.text, 'one DATA_DIR for all workers')];
  return lakes.length === 0 ? [] : [well('lakes', 'one')];
}

/** How the Redis is set up, and whether its clock is ours. */
export function redisFindings(setup: RedisSetup, clockOffMs: number): Finding[] {
  const { version, limit, used, isAppending, sync } = setup;
  const risks = risksOf(setup).map(({ isRefused, what, help }) =>
    (isRefused ? bad : doubtful)('Redis', what, help),
  );
  const how = sync === undefined ? 'on' : `on, fsync ${sync}`;
  const versionText = `${version}, append-only ${isAppending ? how : 'off'}`;
  return [
    Number.parseFloat(version) < LEAST_VERSION
      ? bad('Redis', `${version} is older than ${LEAST_VERSION}`, 'a newer redis-server')
      : well('Redis', versionText),
    ...risks,
    ...(limit > 0 && used > MUCH * limit
      ? [doubtful('Redis', `${Math.round((100 * used) / limit)} % of maxmemory used`, 'more of it')]
      : []),
    Math.abs(clockOffMs) > CLOCK_MAX_MS
      ? bad(
          'clock',
          `${Math.round(clockOffMs / 1_000)} s from that of Redis`,
          'NTP on both machines',
        )
      : well('clock', 'that of Redis'),
  ];
}

/** Jobs that failed for good, as long as they are told: a queue keeps them also once they are mended or acknowledged. */
export function jobFindings(incidents: readonly Incident[]): Finding[] {
  const failed = incidents.filter(({ kind }) => FAILED.has(kind));
  return failed.length === 0
    ? [well('jobs', 'none failed that is not mended or acknowledged')]
    : failed.map((one) => {
        const help = isAcknowledgeable(one) ? `${AGAIN}, or make acknowledge` : AGAIN;
        return bad('jobs', `${one.text} (${one.since})`, help);
      });
}

/** Whether notices arrive, where there is an address for them. */
export function noticeFindings(pending: number): Finding[] {
  if (pending === 0) return [well('notices', 'all were taken')];
  const text = `${pending} not taken by NOTIFY_URL so far`;
  return [doubtful('notices', text, 'its address; each look of a worker sends them again')];
}

/** Whether work is done: workers, and schedules that did not come to a good end in time. */
export function queueFindings({ queues, schedules }: QueueState, now: Date): Finding[] {
  const idle = queues.filter(({ workers }) => workers === 0).map(({ queue }) => queue);
  const late = schedules.filter(({ succeeded, since, everyS }) => {
    const last = succeeded ?? since;
    return last !== undefined && now.getTime() - last > 1_000 * (LATE * everyS + LATE_S);
  });
  return [
    idle.length > 0
      ? doubtful('worker', 'none is connected', 'make run, or make worker')
      : well('worker', `${Math.min(...queues.map(({ workers }) => workers))} connected`),
    late.length > 0
      ? doubtful(
          'schedules',
          `late: ${late.map(({ id }) => id).join(', ')}`,
          'a worker that runs; make status says what failed',
        )
      : well('schedules', 'none is late'),
  ];
}
