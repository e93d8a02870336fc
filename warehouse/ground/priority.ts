import { readFileSync, writeFileSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';

/**
 * Priorities as "nice" values. On a busy core, Linux gives a process of normal priority three times as much time as a
 * `worker`, and about ten times as much as work in the `background`.
 */
const PRIORITIES = { worker: 5, background: constants.priority.PRIORITY_BELOW_NORMAL };

/**
 * Lowers the priority of this process, so that the API gets the processor first. On Linux, processes that this process
 * starts later inherit the priority. A `worker` must make progress while the API is busy; work in the `background` may
 * wait.
 */
export function lowerPriority(kind: keyof typeof PRIORITIES): void {
  tryTo(() => setPriority(Math.max(getPriority(), PRIORITIES[kind])));
  if (process.platform === 'linux') tryTo(() => lowerSessionPriority(PRIORITIES[kind]));
}

/**
 * Lowers the priority of the calling thread. Only Linux has priorities of threads. On other systems, lowers the
 * priority of the process.
 */
export function lowerThreadPriority(): void {
  tryTo(() => setPriority(Math.max(getPriority(), PRIORITIES.background)));
}

/**
 * Lowers the priority of the session, if this process leads one. Linux may divide the processor between sessions first
 * (sched_autogroup_enabled). The priority of a process then matters only within its session.
 */
function lowerSessionPriority(lowered: number): void {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  // The fields after the name in brackets are state, parent, group and session.
  const session = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[3];
  if (Number(session) !== process.pid) return;
  const [, priority = '0'] =
    /nice (-?\d+)/.exec(readFileSync('/proc/self/autogroup', 'utf8')) ?? [];
  if (Number(priority) < lowered) writeFileSync('/proc/self/autogroup', String(lowered));
}

/** Ignores errors, because some systems forbid a change of priorities. */
function tryTo(change: () => void): void {
  try {
    change();
  } catch {
    // Continue at the former priority.
  }
}
