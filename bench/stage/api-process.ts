import { fork, type ChildProcess, type ForkOptions } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { NODE_FLAGS } from '../../jobs/processes/api-node-flags.ts';
import { listening, type ServerProcess } from './server-process.ts';

/** An API in a process of its own. */
export type ApiProcess = ServerProcess & {
  /** Host and port. */
  address: string;
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
const HEALTHY_WITHIN_MS = 120_000;

/**
 * Runs the program with those arguments and settings, and nothing else of our environment but where compiled code is
 * kept. What it prints can be read from it; it listens on any free port.
 */
export function forkApi(args: string[], settings: Settings, options?: ForkOptions): ChildProcess {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, PORT: '0', ...settings };
  return fork(PROGRAM, args, { silent: true, ...options, env });
}

export type ApiOptions = {
  /** Where it prints, as under `make run`, which takes us no time; to us without it. */
  logFile?: string;
  /** What to put before its command, as of a `Host`. */
  through?: readonly string[];
};

/** Starts an API with those settings; it listens, but may still be without a store. */
export async function startApi(
  settings: Settings,
  { logFile, through = [] }: ApiOptions = {},
): Promise<ApiProcess> {
  const start = guarded(through);
  const { child, log } =
    logFile === undefined ? printing(settings, start) : writing(settings, start, logFile);
  const server = await listening(child).catch((cause: unknown) => {
    throw new Error(`the API ended: ${log()}`, { cause });
  });
  const address = `${settings['HOST'] ?? '127.0.0.1'}:${server.port}`;
  return {
    ...server,
    address,
    log,
    ended: () => child.exitCode ?? child.signalCode ?? undefined,
    untilHealthy: () => untilHealthy(address),
  };
}

type Start = Pick<ForkOptions, 'execPath' | 'execArgv'>;

/** It ends with us, even when we are killed. */
function guarded(through: readonly string[]): Start {
  const [execPath, ...before] = [...through, process.execPath];
  return { execPath, execArgv: [...before, '--import', ORPHAN_GUARD, ...NODE_FLAGS] };
}

function printing(settings: Settings, start: Start): { child: ChildProcess; log: () => string } {
  const child = forkApi(['serve'], settings, start);
  let printed = '';
  child.stdout?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  return { child, log: () => printed };
}

function writing(
  settings: Settings,
  start: Start,
  logFile: string,
): { child: ChildProcess; log: () => string } {
  const file = openSync(logFile, 'a');
  const child = forkApi(['serve'], settings, { ...start, stdio: ['ignore', file, file, 'ipc'] });
  closeSync(file);
  return { child, log: () => readFileSync(logFile, 'utf8') };
}

async function untilHealthy(address: string): Promise<void> {
  const until = Date.now() + HEALTHY_WITHIN_MS;
  for (;;) {
    const answer = await fetch(`http://${address}/api/health`, {
      signal: AbortSignal.timeout(2_000),
    }).catch(() => undefined);
    await answer?.body?.cancel();
    if (answer?.status === 200) return;
    if (Date.now() > until) throw new Error(`the API on ${address} does not get healthy`);
    await sleep(50);
  }
}
