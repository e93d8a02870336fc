import { fork, type ChildProcess, type ForkOptions } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { NODE_FLAGS } from '../../jobs/processes/api-node-flags.ts';
import { waitForPort, type ServerProcess } from './server-process.ts';

/** An API in a separate process. */
export type ApiProcess = ServerProcess & {
  /** Host and port. */
  address: string;
  /** Returns its output so far. */
  log: () => string;
  /** Exit code or signal; undefined while the API runs. */
  exitReason: () => number | string | undefined;
  /** Waits until the API can answer calls with a key. */
  untilHealthy: () => Promise<void>;
};

/** Environment variables of a process. */
type Settings = Record<string, string>;

const PROGRAM = fileURLToPath(new URL('../../jobs/main.ts', import.meta.url));
const ORPHAN_GUARD = new URL('../../jobs/processes/orphan-guard.ts', import.meta.url).href;
const HEALTHY_TIMEOUT_MS = 120_000;

/**
 * Runs the program with these arguments and settings. The program inherits only PATH and the cache of compiled code
 * from our environment. Its output is piped. It listens on any free port.
 */
export function forkApi(args: string[], settings: Settings, options?: ForkOptions): ChildProcess {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, PORT: '0', ...settings };
  return fork(PROGRAM, args, { silent: true, ...options, env });
}

export type ApiOptions = {
  /**
   * File for the output of the API, as under `make run`. Writing to a file takes no time from this process. If absent,
   * the output is piped to this process.
   */
  logFile?: string;
  /** Words before the command of the API, for example the prefix that runs the API on a `Host`. */
  commandPrefix?: readonly string[];
};

/**
 * Starts an API with these settings. When this function returns, the API listens, but may not have loaded a store yet.
 */
export async function startApi(
  settings: Settings,
  { logFile, commandPrefix = [] }: ApiOptions = {},
): Promise<ApiProcess> {
  const start = withOrphanGuard(commandPrefix);
  const { child, log } =
    logFile === undefined ? startPiped(settings, start) : startLogging(settings, start, logFile);
  const server = await waitForPort(child).catch((cause: unknown) => {
    throw new Error(`the API ended before it listened: ${log()}`, { cause });
  });
  const address = `${settings['HOST'] ?? '127.0.0.1'}:${server.port}`;
  return {
    ...server,
    address,
    log,
    exitReason: () => child.exitCode ?? child.signalCode ?? undefined,
    untilHealthy: () => untilHealthy(address),
  };
}

type Start = Pick<ForkOptions, 'execPath' | 'execArgv'>;

/** Makes the API end when this process ends, even if this process is killed. */
function withOrphanGuard(through: readonly string[]): Start {
  const [execPath, ...before] = [...through, process.execPath];
  return { execPath, execArgv: [...before, '--import', ORPHAN_GUARD, ...NODE_FLAGS] };
}

function startPiped(settings: Settings, start: Start): { child: ChildProcess; log: () => string } {
  const child = forkApi(['serve'], settings, start);
  let printed = '';
  child.stdout?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  return { child, log: () => printed };
}

function startLogging(
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
  const until = Date.now() + HEALTHY_TIMEOUT_MS;
  for (;;) {
    const answer = await fetch(`http://${address}/api/health`, {
      signal: AbortSignal.timeout(2_000),
    }).catch(() => undefined);
    await answer?.body?.cancel();
    if (answer?.status === 200) return;
    if (Date.now() > until) {
      throw new Error(
        `the API on ${address} was not healthy within ${HEALTHY_TIMEOUT_MS / 1_000} s`,
      );
    }
    await sleep(50);
  }
}
