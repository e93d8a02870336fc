import { fork, type ChildProcess, type ForkOptions } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { listening, type ServerProcess } from './server-process.ts';

/** An API in a process of its own. */
export type ApiProcess = ServerProcess & {
  /** All that it has printed. */
  log: () => string;
  /** Exit code or signal; undefined while it runs. */
  ended: () => number | string | undefined;
  /** Waits until it can answer calls with a key. */
  untilHealthy: () => Promise<void>;
};

/** Environment variables of a process. */
type Settings = Record<string, string>;

const PROGRAM = fileURLToPath(new URL('../../jobs/main.ts', import.meta.url));
const ORPHAN_GUARD = new URL('../../jobs/processes/orphan-guard.ts', import.meta.url).href;
const HEALTHY_WITHIN_MS = 20_000;

/**
 * Runs the program with those arguments and settings, and nothing else of our environment but where compiled code is
 * kept. What it prints can be read from it; it listens on any free port.
 */
export function forkApi(args: string[], settings: Settings, options?: ForkOptions): ChildProcess {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, PORT: '0', ...settings };
  return fork(PROGRAM, args, { silent: true, ...options, env });
}

/**
 * Starts an API with those settings; it listens, but may still be without a store. With a log file it prints there, as
 * under `make run`, which takes us no time.
 */
export async function startApi(settings: Settings, logFile?: string): Promise<ApiProcess> {
  const { child, log } = logFile === undefined ? printing(settings) : writing(settings, logFile);
  const server = await listening(child).catch((cause: unknown) => {
    throw new Error(`the API ended: ${log()}`, { cause });
  });
  return {
    ...server,
    log,
    ended: () => child.exitCode ?? child.signalCode ?? undefined,
    untilHealthy: () => untilHealthy(server.port),
  };
}

/** It ends with us, even when we are killed. */
const GUARDED = { execArgv: ['--import', ORPHAN_GUARD] };

function printing(settings: Settings): { child: ChildProcess; log: () => string } {
  const child = forkApi(['serve'], settings, GUARDED);
  let printed = '';
  child.stdout?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  return { child, log: () => printed };
}

function writing(settings: Settings, logFile: string): { child: ChildProcess; log: () => string } {
  const file = openSync(logFile, 'a');
  const child = forkApi(['serve'], settings, { ...GUARDED, stdio: ['ignore', file, file, 'ipc'] });
  closeSync(file);
  return { child, log: () => readFileSync(logFile, 'utf8') };
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
