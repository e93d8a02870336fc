import {
  conditionOf,
  healthStateOf,
  type HealthState,
  type Problem,
} from '../../../warehouse/live/conditions.ts';
import { findProblems } from '../health/problems.ts';
import type { Status } from './types.ts';

/** Verdict on the service; `code` is the exit code: 0 well, 1 failing, 2 degraded. */
export type Verdict = {
  code: 0 | 1 | 2;
  state: HealthState;
  /** The sentences of `problems`. */
  why: string[];
  /** First the problems that make the service failing, then the problems that make the service degraded. */
  problems: (Problem & { state: 'degraded' | 'failing' })[];
};

const CODES = { well: 0, failing: 1, degraded: 2 } as const;

/**
 * Returns the verdict. It contains the problems of this machine, the problems that other machines report, and open
 * events such as failed jobs. Acknowledged warnings do not count.
 */
export function verdictOf(status: Status): Verdict {
  const problems = [...findProblems(status), ...otherProblems(status)]
    .filter((problem) => !isAcknowledged(problem, status))
    .map((problem) => ({ ...problem, state: conditionOf(problem.kind).state }));
  const [failing, degraded] = (['failing', 'degraded'] as const).map((wanted) =>
    problems.filter(({ state }) => state === wanted),
  );
  const sorted = [...(failing ?? []), ...(degraded ?? [])];
  const state = healthStateOf(sorted);
  return { code: CODES[state], state, why: sorted.map(({ text }) => text), problems: sorted };
}

/** Returns open events, and the problems that only other machines can judge. */
function otherProblems({ redis, machine }: Status): Problem[] {
  if (redis.state === 'away') return [];
  const events = (redis.incidents ?? []).filter(({ kind }) => conditionOf(kind).source === 'event');
  const reported = (redis.machines ?? [])
    .filter((report) => report.machine !== machine)
    .flatMap(({ problems }) => problems)
    .filter(({ machine: judge }) => judge !== undefined);
  return [...events.map(({ key, kind, text }) => ({ key, kind, text })), ...reported];
}

function isAcknowledged({ key, fingerprint }: Problem, { redis }: Status): boolean {
  if (redis.state === 'away' || fingerprint === undefined) return false;
  return (redis.acknowledged ?? []).some(
    (known) => known.key === key && known.fingerprint === fingerprint,
  );
}
