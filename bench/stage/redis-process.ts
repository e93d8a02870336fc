import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A redis-server on a unix socket in a temporary folder, with an append-only file. */
export type RunningRedis = {
  /** Absolute path of the unix socket, for `new Redis(url)` or `REDIS_URL`. */
  url: string;
  /** Contains the socket and the append-only file. */
  folder: string;
  /** Ends the server at once (SIGKILL); its data stays on disk. */
  kill: () => Promise<void>;
  /** Starts the server again on the same socket with its data. Resolves when the server is ready. */
  restart: () => Promise<void>;
  /** Freezes the server: connections stay open and nothing answers. */
  pause: () => void;
  resume: () => void;
  /** Ends the server and removes its folder; may be called twice. */
  stop: () => Promise<void>;
};

const REDIS_SERVER = process.env['REDIS_SERVER'] ?? 'redis-server';
const START_TIMEOUT_MS = 60_000;

/**
 * Starts a server with its files in a new folder below `parent`. The server ends with this process, even if this
 * process is killed.
 */
export async function launchRedis(parent: string = tmpdir()): Promise<RunningRedis> {
  // The folder is not inside the test's own folder, because a longer path could exceed the limit of 107 bytes for a
  // unix socket.
  const folder = await mkdtemp(join(parent, 'hw-redis-'));
  const url = join(folder, 's');
  let server = await launch(folder, url);
  return {
    url,
    folder,
    kill: () => end(server),
    restart: async () => {
      await end(server);
      server = await launch(folder, url);
    },
    pause: () => void server.kill('SIGSTOP'),
    resume: () => void server.kill('SIGCONT'),
    stop: async () => {
      await end(server);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function launch(folder: string, socket: string): Promise<ChildProcess> {
  const settings = ['--port', '0', '--unixsocket', socket, '--dir', folder, '--save', ''];
  // These are the options of jobs/processes/redis-server.ts.
  const durable = ['--appendonly', 'yes', '--appendfsync', 'no'];
  const limits = ['--maxmemory-policy', 'noeviction'];
  const server = spawn(REDIS_SERVER, [...settings, ...durable, ...limits], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  await new Promise<void>((resolve, reject) => {
    const fail = (reason: string) => {
      server.kill('SIGKILL');
      reject(new Error(`redis-server did not start: ${reason}\n${output}`));
    };
    const timer = setTimeout(
      () => fail(`not ready within ${START_TIMEOUT_MS / 1_000} s`),
      START_TIMEOUT_MS,
    );
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      // Redis prints this line when it has loaded the append-only file. The end of the line differs between kinds of
      // sockets.
      if (/ready to accept connections/i.test(output)) {
        clearTimeout(timer);
        resolve();
      }
    };
    server.stdout.on('data', read);
    server.stderr.on('data', read);
    server.once('error', (error) => fail(error.message));
    server.once('exit', (code) => fail(`exit code ${code}`));
  });
  server.removeAllListeners('exit');
  server.stdout.removeAllListeners('data').resume();
  server.stderr.removeAllListeners('data').resume();
  killWithParent(server, folder);
  return server;
}

/**
 * Ends the server when this process is killed. A shell reads from a pipe to this process. When this process ends, the
 * pipe closes, and the shell kills the server.
 */
function killWithParent(server: ChildProcess, folder: string): void {
  const script = 'read -r _; kill -9 "$1"; rm -rf "$2"';
  const guard = spawn('sh', ['-c', script, 'guard', String(server.pid), folder], {
    // The shell is in a separate process group, so that Ctrl-C does not reach it.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  server.once('exit', () => guard.kill('SIGKILL'));
}

async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const exit = once(server, 'exit');
  server.kill('SIGKILL');
  await exit;
}
