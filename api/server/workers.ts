import cluster, { type Worker } from 'node:cluster';
import type { Logger } from 'pino';
import { keepRunning } from '../../warehouse/ground/keep-running.ts';
import type { Config } from '../config.ts';
import { WorkerFailedError } from '../errors.ts';
import type { RunningApi } from './serve.ts';

const FIRST_RESTART_MS = 100;
/** Workers drain in 2.5 s; what is left after this ends with us, in time for the 3 s of a supervisor. */
const KILL_AFTER_MS = 2_750;

type End = { code: number | null; signal: string | null };

/**
 * Runs so many processes of this same program, which share one port; resolves when all listen. One that dies is
 * replaced, later and later while it keeps dying. Rejects when one cannot even start: it has said why. Once it is `stopped`,
 * those that answer are told to end, whether all have started or not.
 */
export async function startWorkers(
  { workers: count, redisUrl }: Pick<Config, 'workers' | 'redisUrl'>,
  log: Logger,
  stopped: AbortSignal,
): Promise<RunningApi> {
  // Each takes connections from the socket itself: handed on by this process, those on their way at a stop would be lost.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  const stopping = new AbortController();
  const running: Promise<void>[] = [];
  // It may be a Redis of the data folder, which this process keeps running for them.
  const fork = () => cluster.fork({ REDIS_URL: redisUrl });
  const start = async () => {
    stopped.throwIfAborted();
    const worker = fork();
    const port = await untilListening(worker);
    running.push(keepPlace(worker, fork, { stopping: stopping.signal, log }));
    return port;
  };
  const close = async () => {
    stopping.abort();
    signalAll('SIGTERM');
    const kill = setTimeout(() => signalAll('SIGKILL'), KILL_AFTER_MS);
    await Promise.all(running);
    clearTimeout(kill);
  };
  stopped.addEventListener('abort', () => void close());
  try {
    // The first one alone, so that a port that is taken is told once.
    const port = await start();
    await Promise.all(Array.from({ length: count - 1 }, start));
    return { port, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Ends with the last worker of this place once we are stopping. */
async function keepPlace(
  first: Worker,
  fork: () => Worker,
  { stopping, log }: { stopping: AbortSignal; log: Logger },
): Promise<void> {
  let worker: Worker | undefined = first;
  let pid: number | undefined;
  const live = () => {
    const current = worker ?? fork();
    worker = undefined;
    pid = current.process.pid;
    return endOf(current);
  };
  const ended = ({ code, signal }: End, { waitMs }: { waitMs: number }) => {
    log.error({ worker: pid, code, signal, waitMs }, 'worker ended, another starts');
    return true;
  };
  await keepRunning({ live, ended, firstWaitMs: FIRST_RESTART_MS }, stopping);
}

/** The port, as the worker tells whoever started it. */
async function untilListening(worker: Worker): Promise<number> {
  const listening = new Promise<number>((resolve) => {
    worker.on('message', (message: { type?: string; port?: number }) => {
      if (message.type === 'listening' && message.port !== undefined) resolve(message.port);
    });
  });
  const failure = endOf(worker).then(({ code, signal }) => {
    throw new WorkerFailedError(`a worker ended at its start (${signal ?? `exit code ${code}`})`);
  });
  return Promise.race([listening, failure]);
}

function endOf(worker: Worker): Promise<End> {
  return new Promise((resolve) => {
    worker.once('exit', (code: number | null, signal: string | null) => resolve({ code, signal }));
  });
}

function signalAll(signal: NodeJS.Signals): void {
  for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill(signal);
}
