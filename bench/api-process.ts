import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** An API in a process of its own. */
export type ApiProcess = {
  port: number;
  /** All that it has printed. */
  log: () => string;
  /** Exit code or signal; undefined while it runs. */
  ended: () => number | string | undefined;
  /** Waits until it can answer calls with a key. */
  untilHealthy: () => Promise<void>;
  /** Ends it as a supervisor does. */
  stop: () => Promise<void>;
};

const API = fileURLToPath(new URL('../api/main.ts', import.meta.url));
const ORPHAN_GUARD = new URL('../jobs/orphan-guard.ts', import.meta.url).href;
const HEALTHY_WITHIN_MS = 20_000;

/** Starts an API on any free port with those settings; it listens, but may still be without a store. */
export async function startApi(settings: Record<string, string>): Promise<ApiProcess> {
  const child = fork(API, ['serve'], {
    silent: true,
    execArgv: ['--import', ORPHAN_GUARD],
    env: { PATH: process.env['PATH'], PORT: '0', ...settings },
  });
  let printed = '';
  child.stdout?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const [message] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error(`the API ended: ${printed}`))),
  ])) as [{ port: number }];
  const { port } = message;
  return {
    port,
    log: () => printed,
    ended: () => child.exitCode ?? child.signalCode ?? undefined,
    untilHealthy: () => untilHealthy(port),
    stop: () => end(child),
  };
}

async function untilHealthy(port: number): Promise<void> {
  const until = Date.now() + HEALTHY_WITHIN_MS;
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/api/health`, {
      signal: AbortSignal.timeout(2_000),
    }).catch(() => undefined);
    await answer?.body?.cancel();
    if (answer?.status === 200) return;
    if (Date.now() > until) throw new Error(`the API on port ${port} does not get healthy`);
    await sleep(50);
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
}
