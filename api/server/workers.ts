import cluster, { type Worker } from 'node:cluster';
import type { Logger } from 'pino';
import { keepRunning } from '../../warehouse/ground/keep-running.ts';
import type { Config } from '../config.ts';
import { WorkerFailedError } from '../errors.ts';
import type { RunningApi } from './serve.ts';

const FIRST_RESTART_MS = 100;
/**
 * Workers finish their answers within 2.5 s. Workers that run longer than this time are killed, before the 3 s that
 * supervisors allow are over.
 */
const KILL_AFTER_MS = 2_750;

type Exit = { code: number | null; signal: string | null };

/**
 * Runs `workers` processes of this program on one port; resolves when all processes listen. A worker that dies is
 * replaced, with back-off while the replacements keep dying. Rejects when a worker cannot start; that worker has
 * printed the reason. When `stopped` aborts, all running workers are ended, even if others have not started yet.
 */
export async function startWorkers(
  { workers: count, redisUrl }: Pick<Config, 'workers' | 'redisUrl'>,
  log: Logger,
  stopped: AbortSignal,
): Promise<RunningApi> {
  // Each worker accepts connections itself. If this process distributed the connections, some connections would be lost
  // between this process and a worker at a stop.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  const stopping = new AbortController();
  const running: Promise<void>[] = [];
  // This process may run a Redis in the data folder; the workers need its address.
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
    // The first worker starts before the others, so that a port in use is reported only once.
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
