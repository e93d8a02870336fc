import cluster, { type Worker } from 'node:cluster';
import type { Logger } from 'pino';
import { keepRunning } from '../../warehouse/ground/keep-running.ts';
import type { Config } from '../config.ts';
import { WorkerFailedError } from '../errors.ts';
import type { RunningApi } from './serve.ts';

const FIRST_RESTART_MS = 100;
/**
 * Workers are killed if they have not ended after this time. They normally finish answers within 2.5 s, and supervisors
 * expect the end within 3 s.
 */
const KILL_AFTER_MS = 2_750;

type Exit = { code: number | null; signal: string | null };

/**
 * Runs several processes of this program on one port. Resolves when all processes listen. Replaces each process that
 * dies. If the new processes die too, waits longer before each replacement. Rejects if a process cannot start; that
 * process has printed the reason. When `stopped` aborts, all processes end, even if some have not started yet.
 */
export async function startWorkers(
  { workers: count, redisUrl }: Pick<Config, 'workers' | 'redisUrl'>,
  log: Logger,
  stopped: AbortSignal,
): Promise<RunningApi> {
  // Each worker accepts connections itself. If the primary process distributed the connections, some connections would
  // be lost at a stop.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  const stopping = new AbortController();
  const running: Promise<void>[] = [];
  // Workers need the actual address, because this process may run its own Redis in the data folder.
  const fork = () => cluster.fork({ REDIS_URL: redisUrl });
  const start = async () => {
    stopped.throwIfAborted();
    const worker = fork();
    const port = await waitUntilListening(worker);
    running.push(keepWorkerRunning(worker, fork, { stopping: stopping.signal, log }));
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
    // Start one worker first. If the port is in use, the error then appears only once.
    const port = await start();
    await Promise.all(Array.from({ length: count - 1 }, start));
    return { port, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Starts a new worker whenever the current worker ends. After `stopping` aborts, resolves when the last worker has
 * ended.
 */
async function keepWorkerRunning(
  first: Worker,
  fork: () => Worker,
  { stopping, log }: { stopping: AbortSignal; log: Logger },
): Promise<void> {
  let worker: Worker | undefined = first;
  let pid: number | undefined;
  const run = () => {
    const current = worker ?? fork();
    worker = undefined;
    pid = current.process.pid;
    return waitForExit(current);
  };
  const shouldRestart = ({ code, signal }: Exit, { waitMs }: { waitMs: number }) => {
    log.error({ worker: pid, code, signal, waitMs }, 'worker ended, another starts');
    return true;
  };
  await keepRunning({ run, shouldRestart, firstWaitMs: FIRST_RESTART_MS }, stopping);
}

/** Waits until the worker listens; returns the worker's port. */
async function waitUntilListening(worker: Worker): Promise<number> {
  const listening = new Promise<number>((resolve) => {
    worker.on('message', (message: { type?: string; port?: number }) => {
      if (message.type === 'listening' && message.port !== undefined) resolve(message.port);
    });
  });
  const failedStart = waitForExit(worker).then(({ code, signal }) => {
    throw new WorkerFailedError(
      `a worker ended during its start (${signal ?? `exit code ${code}`})`,
    );
  });
  return Promise.race([listening, failedStart]);
}

function waitForExit(worker: Worker): Promise<Exit> {
  return new Promise((resolve) => {
    worker.once('exit', (code: number | null, signal: string | null) => resolve({ code, signal }));
  });
}

function signalAll(signal: NodeJS.Signals): void {
  for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill(signal);
}
