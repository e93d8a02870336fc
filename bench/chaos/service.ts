import { once } from 'node:events';
import type { ChildProcess } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { follow } from '../../jobs/cli/follow.ts';
import { countWorkers, openQueues, type JobRef, type Queues } from '../../jobs/queue/queues.ts';
import { createKeystore, type Keystore } from '../../warehouse/keyring/keystore.ts';
import { forkApi, startApi, type ApiProcess } from '../stage/api-process.ts';
import { publishHistory } from '../trial-service.ts';
import type { PartStage } from './own-stage.ts';

/** A worker and an API on the Redis of a part, with one published month. */
export type ChaosService = {
  dataDir: string;
  queues: Queues;
  keys: Keystore;
  api: ApiProcess;
  /** Process id of the worker; undefined if it has ended. */
  workerPid: () => number | undefined;
  /** Runs a command of the program with the settings of the service. */
  run: (...args: string[]) => Promise<Output>;
  /** Waits for a job. Throws the error of a failed job. Throws an abort error after `deadlineMs`. */
  followJob: (ref: JobRef, deadlineMs: number) => Promise<unknown>;
  stop: () => Promise<void>;
};

export type Output = { code: number; text: string };

/** Exit code of `make status` if something fails. */
export const FAILING = 1;

/** The month that is published before the first round. */
const PUBLISHED_MONTH = '2025-07';
const START_MS = 60_000;
const POLL_MS = 500;

/** Publishes a month, and starts a worker and an API with these settings. */
export async function startService(
  { folder, url, redis }: PartStage,
  more: Record<string, string> = {},
): Promise<ChaosService> {
  const dataDir = path.join(folder, 'data');
  await mkdir(dataDir);
  await publishHistory(dataDir, url, PUBLISHED_MONTH);
  const settings = {
    REDIS_URL: url,
    DATA_DIR: dataDir,
    LOG_LEVEL: 'error',
    OFFLINE: '1',
    MIN_FREE_MB: '0',
    ...more,
  };
  const worker = forkApi(['worker'], settings);
  for (const stream of [worker.stdout, worker.stderr]) stream?.resume();
  const api = await startApi(settings);
  await api.untilHealthy();
  const queues = openQueues(url);
  await waitFor('a worker', START_MS, async () => (await countWorkers(queues)) > 0);
  const line = { show: () => undefined, note: () => undefined, end: () => undefined };
  return {
    dataDir,
    queues,
    keys: createKeystore(redis, { deadlineMs: 10_000 }),
    api,
    workerPid: () => ((worker.exitCode ?? worker.signalCode) === null ? worker.pid : undefined),
    run: (...args) => runCommand(args, settings),
    followJob: (ref, deadlineMs) =>
      follow(ref, {
        queues,
        line,
        signal: AbortSignal.timeout(deadlineMs),
        diskPatienceMs: deadlineMs,
      }),
    stop: async () => {
      await api.stop();
      await killAndWait(worker);
      await queues.close();
    },
  };
}

async function runCommand(args: string[], settings: Record<string, string>): Promise<Output> {
  const child = forkApi(args, settings);
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  }
  const [code] = (await once(child, 'close')) as [number | null];
  return { code: code ?? -1, text };
}

/** Returns the problem if status still reports a failure after `deadlineMs`. */
export async function findLastingFailure(
  { run }: ChaosService,
  deadlineMs: number,
): Promise<string[]> {
  let text = '';
  const isWell = async () => {
    const status = await run('status');
    text = status.text;
    return status.code !== FAILING;
  };
  return waitFor('status recovers', deadlineMs, isWell).then(
    () => [],
    (error: Error) => [`${error.message}: ${text.split('\n')[1]}`],
  );
}

/**
 * Polls until the state is reached, and returns the time that this took. After `deadlineMs`, throws an error with the
 * name of the state.
 */
export async function waitFor(
  state: string,
  deadlineMs: number,
  isReached: () => Promise<boolean>,
): Promise<number> {
  const from = performance.now();
  while (!(await isReached())) {
    if (performance.now() - from > deadlineMs) {
      throw new Error(`not within ${deadlineMs / 1_000} s: ${state}`);
    }
    await sleep(POLL_MS);
  }
  return performance.now() - from;
}

async function killAndWait(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}
