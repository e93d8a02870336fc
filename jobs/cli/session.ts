import type { CommandContext } from './context.ts';
import { CommandError, InterruptedError } from '../errors.ts';
import { follow } from './follow.ts';
import { progressLine } from './progress-line.ts';
import { openQueues } from '../queue/queues.ts';
import type { JobRef, Queues } from '../queue/queues.ts';
import { openRedis } from '../processes/redis-session.ts';
import { aborted, onInterrupt } from '../processes/signals.ts';
import { keepWorker } from './worker-child.ts';

/** What a command that asks for work has. */
export type JobSession = {
  queues: Queues;
  /** Follows a job to its result, showing its progress under that title. */
  follow: <T>(ref: JobRef, title: string) => Promise<T>;
  /** Names jobs watched in another way than with `follow`; the function that comes back takes one off again. */
  watch: (refs: JobRef[]) => (ref: JobRef) => void;
  /** Jobs whose following was cut off by the signal. */
  underWay: () => JobRef[];
  /** Aborted by Ctrl-C, or when no worker can be kept running. */
  signal: AbortSignal;
};

/** A worker that ends after its work waits for the jobs of others this long; killed, they would only start again. */
const WORKER_GRACE_MS = 15_000;
const INTERRUPTED_GRACE_MS = 4_000;
/** A back-fill of decades has hundreds of jobs. */
const MOST_NAMED = 3;

/** A session on open queues, with a worker someone else keeps running. */
export function jobSession(
  context: Pick<CommandContext, 'err'>,
  queues: Queues,
  signal: AbortSignal,
): JobSession {
  const underWay = new Set<JobRef>();
  return {
    queues,
    signal,
    underWay: () => [...underWay],
    watch: (refs) => {
      for (const ref of refs) underWay.add(ref);
      return (ref) => void underWay.delete(ref);
    },
    follow: async (ref, title) => {
      underWay.add(ref);
      try {
        return await follow(ref, { queues, line: progressLine(title, context.err), signal });
      } finally {
        if (!signal.aborted) underWay.delete(ref);
      }
    },
  };
}

/** Opens Redis, queues and a worker for the length of the work, and closes them in order. */
export async function withJobs<T>(
  context: CommandContext,
  name: string,
  work: (session: JobSession) => Promise<T>,
): Promise<T> {
  const abort = new AbortController();
  const ignoreSignals = onInterrupt((signal) => abort.abort(new InterruptedError(signal)));
  const redis = await openRedis(context.config, name);
  const queues = openQueues(redis.url);
  const worker = keepWorker(context, queues, {
    restarted: (why) => context.err.write(`${why}; started again\n`),
    gaveUp: (why) => abort.abort(new CommandError(why)),
  });
  const session = jobSession(context, queues, abort.signal);
  let graceMs = WORKER_GRACE_MS;
  try {
    // A queue whose Redis is gone would wait for it; an interrupt does not.
    return await Promise.race([work(session), aborted(abort.signal)]);
  } catch (error) {
    if (error instanceof InterruptedError) {
      context.err.write(leftInQueue(session.underWay()));
      graceMs = INTERRUPTED_GRACE_MS;
    }
    throw error;
  } finally {
    ignoreSignals();
    await worker.stop(graceMs);
    await queues.close();
    await redis.close();
  }
}

function leftInQueue(jobs: JobRef[]): string {
  if (jobs.length === 0) return 'Stopped.\n';
  const named = jobs.slice(0, MOST_NAMED).map(({ id }) => id);
  const more = jobs.length - named.length;
  const ids = named.join(', ') + (more > 0 ? ` and ${more} more` : '');
  return `Stopped watching. Left in the queue: ${ids}. To go on, repeat the command or make run.\n`;
}
