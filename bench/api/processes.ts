import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const API_MAIN = path.join(import.meta.dirname, '../../api/main.ts');
const BARE = path.join(import.meta.dirname, 'serve-bare.ts');
const SERVING_PATIENCE_MS = 20_000;
/** Unit of the times in /proc, on every Linux. */
const TICKS_PER_SECOND = 100;

export type ServerProcess = { pid: number; port: number; stop: () => Promise<void> };

/** What a bare Koa does beyond answering `{ok:true}`: the API's own Redis call, and a body as long as its answers. */
export type RedisWork = { redisUrl: string; apiKey: string; bodyBytes: number };

/** Starts a bare Koa. */
export async function startBare(work?: RedisWork): Promise<ServerProcess> {
  const args = work ? [work.redisUrl, work.apiKey, String(work.bodyBytes)] : [];
  return listening(fork(BARE, args));
}

/** Starts the API as `make run` does, its log in a file, and waits until it serves the published store. */
export async function startApi(
  dataDir: string,
  redisUrl: string,
  settings: Record<string, string> = {},
): Promise<ServerProcess> {
  const log = openSync(path.join(dataDir, 'api.log'), 'a');
  const env = { PATH: process.env['PATH'], REDIS_URL: redisUrl, DATA_DIR: dataDir, PORT: '0' };
  const child = fork(API_MAIN, ['serve'], {
    env: { ...env, ...settings },
    stdio: ['ignore', log, 'inherit', 'ipc'],
  });
  closeSync(log);
  const server = await listening(child);
  const until = Date.now() + SERVING_PATIENCE_MS;
  while ((await fetch(`http://127.0.0.1:${server.port}/api/health`)).status !== 200) {
    if (Date.now() > until) throw new Error(`the API does not serve: see ${dataDir}/api.log`);
    await sleep(50);
  }
  return server;
}

/** What a process has used so far; NaN off Linux and for one that has ended. */
export type Usage = {
  cpuSeconds: number;
  /** Memory resident now, and the most that ever was, in MB. */
  residentMb: number;
  peakMb: number;
};

/** What the process has used so far. */
export async function usageOf(pid: number): Promise<Usage> {
  const [stat = '', status = ''] = await Promise.all(
    ['stat', 'status'].map((name) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '')),
  );
  // The name of the program, in brackets, may hold blanks; user and system time are 12th and 13th after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const megabytes = (name: string) =>
    Number(new RegExp(`${name}:\\s*(\\d+)`).exec(status)?.[1] ?? Number.NaN) / 1000;
  return {
    cpuSeconds: (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND,
    residentMb: megabytes('VmRSS'),
    peakMb: megabytes('VmHWM'),
  };
}

async function listening(child: ChildProcess): Promise<ServerProcess> {
  const gone = once(child, 'exit');
  const said = await Promise.race([once(child, 'message'), gone]);
  const port = (said[0] as { port?: number } | null)?.port;
  if (port === undefined || child.pid === undefined) throw new Error('a server did not start');
  const stop = async () => {
    child.kill('SIGTERM');
    await gone;
  };
  return { pid: child.pid, port, stop };
}
