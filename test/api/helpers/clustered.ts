import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { forkApi } from '../../../bench/stage/api-process.ts';
import type { Teardown } from '../../helpers/with-the-file.ts';
import { until } from '../../jobs/helpers/command.ts';

type LogLine = { msg: string; pid: number; port?: number };

/** The API as a process on that Redis, to run that many of itself; it ends with the test. */
export async function forkWorkers(
  t: Teardown,
  redisUrl: string,
  workers: number,
  more: Record<string, string> = {},
): Promise<ChildProcess> {
  const dataDir = await mkdtemp(join(tmpdir(), 'hw-api-'));
  t.teardown(() => rm(dataDir, { recursive: true, force: true }));
  const settings = { API_WORKERS: String(workers), ...more };
  const child = forkApi(['serve'], { REDIS_URL: redisUrl, DATA_DIR: dataDir, ...settings });
  t.teardown(() => child.kill('SIGKILL'));
  return child;
}

/** An API of so many processes that serves the published store. */
export async function servingApi(
  t: Teardown,
  redisUrl: string,
  workers: number,
  more: Record<string, string> = {},
) {
  const child = await forkWorkers(t, redisUrl, workers, more);
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
  // From Redis, or from the disk where another process has just put it.
  const areAll = (msg: string) => new Set(pids(msg)).size === workers;
  await until('all serve', () => areAll('store loaded') && areAll('api listening'));
  /** Status of a request on a connection of its own; undefined when it broke. */
  const ask = async () => {
    const answer = await fetch(`http://127.0.0.1:${message.port}/api/health`, {
      headers: { connection: 'close' },
      signal: AbortSignal.timeout(60_000),
    }).catch(() => undefined);
    await answer?.body?.cancel().catch(() => undefined);
    return answer?.status;
  };
  return { child, message, lines, pids, ask };
}
