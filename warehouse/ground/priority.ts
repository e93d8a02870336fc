import { readFileSync, writeFileSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';

/** Priorities as "nice" values. On a busy core, a process of normal priority gets three or ten times as much time. */
const PRIORITIES = { worker: 5, background: constants.priority.PRIORITY_BELOW_NORMAL };

/**
 * Lowers the priority of this process, so that API calls get the processor first. On Linux, the processes that it starts later
 * inherit the priority. A `worker` also works while the API is busy; work in the `background` may wait.
 */
export function lowerPriority(kind: keyof typeof PRIORITIES): void {
  tryTo(() => setPriority(Math.max(getPriority(), PRIORITIES[kind])));
  if (process.platform === 'linux') tryTo(() => lowerSessionPriority(PRIORITIES[kind]));
}

/** Lowers the priority of the calling thread. Only Linux has priorities per thread; elsewhere, lowers the process. */
export function lowerThreadPriority(): void {
  tryTo(() => setPriority(Math.max(getPriority(), PRIORITIES.background)));
}

/**
 * Linux may divide the processor between sessions first (sched_autogroup_enabled). The priorities of processes then count only
 * within a session, so a process that leads a session lowers its session too.
 */
function lowerSessionPriority(lowered: number): void {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  // After the name in brackets: state, parent, group, session.
  const session = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[3];
  if (Number(session) !== process.pid) return;
  const [, priority = '0'] =
    /nice (-?\d+)/.exec(readFileSync('/proc/self/autogroup', 'utf8')) ?? [];
  if (Number(priority) < lowered) writeFileSync('/proc/self/autogroup', String(lowered));
}

/** Supervisors may forbid a change. The priority then stays the same. */
function tryTo(change: () => void): void {
  try {
    change();
  } catch {
    // The work is done at the former priority.
  }
}
