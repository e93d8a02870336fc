import type { CommandContext } from './context.ts';
import { CommandError, InterruptedError } from '../errors.ts';
import { follow } from './follow.ts';
import { progressLine } from './progress-line.ts';
import { openQueues, type JobRef, type Queues } from '../queue/queues.ts';
import { openRedis } from '../processes/redis-session.ts';
import { rejectOnAbort, onInterrupt } from '../processes/signals.ts';
import { watchWrites } from '../queue/write-probe.ts';
import { ensureWorker } from './worker-child.ts';

/** The tools of a command that requests jobs. */
export type JobSession = {
  queues: Queues;
  /** Waits for a job's result and shows its progress under the title. */
  follow: <T>(ref: JobRef, title: string) => Promise<T>;
  /**
   * Adds jobs to the jobs in progress, without waiting for the added jobs. The returned function removes one job from
   * the jobs in progress.
   */
  watch: (refs: JobRef[]) => (ref: JobRef) => void;
  /** Returns the jobs in progress or, after an interrupt, the jobs that remain in the queue. */
  activeJobs: () => JobRef[];
  /** Aborted by Ctrl-C, or if no worker can be kept running. */
  signal: AbortSignal;
};

/**
 * Time for which the command's worker may finish jobs of other commands after the command's own jobs have ended. If the
 * worker is killed during a job, the job starts again.
 */
const WORKER_GRACE_MS = 15_000;
const INTERRUPTED_GRACE_MS = 4_000;
/** Maximum number of jobs that are named after an interrupt. A backfill of decades has hundreds of jobs. */
const MAX_NAMED = 3;

/** Creates a session on open queues. The caller keeps a worker running. */
export function jobSession(
  context: Pick<CommandContext, 'err'>,
  queues: Queues,
  signal: AbortSignal,
): JobSession {
  const jobs = new Set<JobRef>();
  return {
    queues,
    signal,
    activeJobs: () => [...jobs],
    watch: (refs) => {
      for (const ref of refs) jobs.add(ref);
      return (ref) => void jobs.delete(ref);
    },
    follow: async (ref, title) => {
      jobs.add(ref);
      try {
        return await follow(ref, { queues, line: progressLine(title, context.err), signal });
      } finally {
        if (!signal.aborted) jobs.delete(ref);
      }
    },
  };
}

/** Runs `work` with open queues and a running worker, and closes both afterwards. */
export async function withJobs<T>(
  context: CommandContext,
  name: string,
  work: (session: JobSession) => Promise<T>,
): Promise<T> {
  const abort = new AbortController();
  const ignoreSignals = onInterrupt((signal) => abort.abort(new InterruptedError(signal)));
  const redis = await openRedis(context.config, name);
  const queues = openQueues(redis.url);
  const worker = ensureWorker(context, queues, {
    onRestart: (why) => context.err.write(`${why}; restarted\n`),
    onGiveUp: (why) => abort.abort(new CommandError(why)),
  });
  const stopProbes = watchWrites(redis.url, (why) =>
    abort.abort(new CommandError(refusalText(why))),
  );
  const session = jobSession(context, queues, abort.signal);
  let graceMs = WORKER_GRACE_MS;
  try {
    // Queue calls wait while Redis is unreachable. `Promise.race` lets an interrupt end this wait.
    return await Promise.race([work(session), rejectOnAbort(abort.signal)]);
  } catch (error) {
    if (error instanceof InterruptedError) {
      context.err.write(interruptText(session.activeJobs()));
      graceMs = INTERRUPTED_GRACE_MS;
    }
    throw error;
  } finally {
    ignoreSignals();
    stopProbes();
    await worker.stop(graceMs);
    await queues.close();
    await redis.close();
  }
}

/** Formats why no job can begin or end while Redis refuses writes. */
function refusalText(reason: string): string {
  return `Redis refuses writes, so no job can begin or end: ${reason} Jobs stay in the queue. If the disk is full: make free-space`;
}

function interruptText(jobs: JobRef[]): string {
  if (jobs.length === 0) return 'Stopped.\n';
  const names = jobs.slice(0, MAX_NAMED).map(({ id }) => id);
  const more = jobs.length - names.length;
  const ids = names.join(', ') + (more > 0 ? ` and ${more} more` : '');
  return `Stopped. These jobs stay in the queue: ${ids}. To continue, repeat the command or run make run.\n`;
}
