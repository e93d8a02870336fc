import { risksOf, type RedisSetup } from '../../processes/redis-safety.ts';
import { badFinding, doubtfulFinding, okFinding, type Finding } from './finding.ts';

/** BullMQ requires this version of Redis, and warns about older versions. */
const MIN_VERSION = 6.2;
/** Share of `maxmemory` above which the doctor reports that memory is short. */
const HIGH_MEMORY_SHARE = 0.8;
/**
 * Largest accepted clock difference. With a larger difference, monthly limits and sessions would begin and end at the
 * wrong time.
 */
const CLOCK_MAX_MS = 2_000;

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

/** Checks that notices are delivered, if NOTIFY_URL is set. */
export function noticeFindings(pending: number): Finding[] {
  if (pending === 0) return [okFinding('notices', 'all delivered')];
  const text = `${pending} not delivered to NOTIFY_URL yet`;
  return [
    doubtfulFinding('notices', text, 'check NOTIFY_URL; the worker keeps sending them again'),
  ];
}
