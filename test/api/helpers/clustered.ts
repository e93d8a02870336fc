import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { forkApi } from '../../../bench/stage/api-process.ts';
import type { Teardown } from '../../helpers/file-teardown.ts';
import { until } from '../../jobs/helpers/command.ts';

type LogLine = { msg: string; pid: number; port?: number };

/** Starts the API with the given number of worker processes; it ends with the test. */
export async function forkWorkers(
  t: Teardown,
  redisUrl: string,
  workers: number,
  extraSettings: Record<string, string> = {},
): Promise<ChildProcess> {
  const dataDir = await mkdtemp(join(tmpdir(), 'hw-api-'));
  t.teardown(() => rm(dataDir, { recursive: true, force: true }));
  const settings = { API_WORKERS: String(workers), ...extraSettings };
  const child = forkApi(['serve'], { REDIS_URL: redisUrl, DATA_DIR: dataDir, ...settings });
  t.teardown(() => child.kill('SIGKILL'));
  return child;
}

/** Starts an API with several worker processes and waits until all have loaded the published store. */
export async function startServingApi(
  t: Teardown,
  redisUrl: string,
  workers: number,
  extraSettings: Record<string, string> = {},
) {
  const child = await forkWorkers(t, redisUrl, workers, extraSettings);
  let printed = '';
  child.stdout?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const lines = (msg: string) =>
    printed
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as LogLine)
      .filter((line) => line.msg.startsWith(msg));
  const pids = (msg: string) => lines(msg).map(({ pid }) => pid);
  const [message] = (await once(child, 'message')) as [{ type: string; port: number }];
  // A process may load the store from Redis, or from disk after another process has saved it there.
  const areAll = (msg: string) => new Set(pids(msg)).size === workers;
  await until('all serve', () => areAll('store loaded') && areAll('api listening'));
  /** Sends a request on a new connection; returns its status, or undefined when the connection broke. */
  const sendRequest = async () => {
    const answer = await fetch(`http://127.0.0.1:${message.port}/api/health`, {
      headers: { connection: 'close' },
      signal: AbortSignal.timeout(60_000),
    }).catch(() => undefined);
    await answer?.body?.cancel().catch(() => undefined);
    return answer?.status;
  };
  return { child, message, lines, pids, sendRequest };
}
