/** State of the service. `degraded`: calls are answered, but something is missing, old or at risk. */
export type HealthState = 'well' | 'degraded' | 'failing';

type Condition = {
  state: 'degraded' | 'failing';
  /**
   * How the condition begins and ends. With `state`, workers check it every 20 s. With `event`, a job begins it,
   * and a later job or an operator ends it.
   */
  source: 'state' | 'event';
  /** Whether an operator can acknowledge the condition. */
  isAcknowledgeable?: true;
  /** Whether the condition causes no notices, because it ends by itself or another condition follows. */
  isSilent?: true;
};

/**
 * All conditions that make the service degraded or failing. Notices, metrics and alerts use the same names.
 * `docs/operations.md` says what each condition means and what to do.
 */
export const CONDITIONS = {
  'calls.failing': { state: 'failing', source: 'state' },
  'redis.unreachable': { state: 'failing', source: 'state' },
  'redis.refuses_writes': { state: 'failing', source: 'state' },
  'keys.lost': { state: 'failing', source: 'state' },
  'keys.broken': { state: 'failing', source: 'event' },
  'store.missing': { state: 'failing', source: 'state' },
  'schedules.missing': { state: 'failing', source: 'state' },
  'checks.failed': { state: 'failing', source: 'state' },
  'build.failed': { state: 'failing', source: 'state' },
  'job.failed': { state: 'failing', source: 'event', isAcknowledgeable: true },
  'backfill.failed': { state: 'failing', source: 'event', isAcknowledgeable: true },
  'file.refused': { state: 'failing', source: 'event', isAcknowledgeable: true },
  'month.refused': { state: 'failing', source: 'event', isAcknowledgeable: true },
  'month.damaged': { state: 'failing', source: 'state' },
  'lakes.differ': { state: 'failing', source: 'state' },
  'lake.unavailable': { state: 'failing', source: 'state' },
  'disk.full': { state: 'failing', source: 'state' },
  'service.starting': { state: 'degraded', source: 'state', isSilent: true },
  'disk.low': { state: 'degraded', source: 'state' },
  'data.stale': { state: 'degraded', source: 'state' },
  'forecasts.stale': { state: 'degraded', source: 'state' },
  'checks.warn': { state: 'degraded', source: 'state', isAcknowledgeable: true },
  'model.unusable': { state: 'degraded', source: 'state' },
  'model.failed': { state: 'failing', source: 'state' },
  'worker.missing': { state: 'degraded', source: 'state' },
  'schedules.late': { state: 'degraded', source: 'state' },
  'queue.stuck': { state: 'degraded', source: 'state' },
} as const satisfies Record<string, Condition>;

export type ConditionName = keyof typeof CONDITIONS;

export const CONDITION_NAMES = Object.keys(CONDITIONS) as ConditionName[];

/** A condition that is true now, with a sentence that says what is wrong and what to do. */
export type Problem = {
  /** Identifies the problem. The same problem has the same key on all machines. */
  key: string;
  kind: ConditionName;
  text: string;
  /** The only machine that can check the problem; absent if every machine can check it. */
  machine?: string;
  /**
   * If the fingerprint changes, the problem is treated as a new incident, even if an operator acknowledged the old one.
   */
  fingerprint?: string;
};

/** Returns the definition of a condition. */
export function conditionOf(kind: ConditionName): Condition {
  return CONDITIONS[kind];
}

/** Returns the state of a service with these problems. */
export function healthStateOf(problems: readonly Pick<Problem, 'kind'>[]): HealthState {
  if (problems.length === 0) return 'well';
  return problems.some(({ kind }) => conditionOf(kind).state === 'failing')
    ? 'failing'
    : 'degraded';
}
