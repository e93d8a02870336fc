import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A redis-server on a unix socket in a temporary folder, appending every write to disk. */
export type RunningRedis = {
  /** Absolute path of the unix socket: `new Redis(url)`, or `REDIS_URL`. */
  url: string;
  /** Ends the server at once (SIGKILL); its data stay on disk. */
  kill: () => Promise<void>;
  /** Starts it again, on the same socket, with the data it had; answers when it is ready. */
  restart: () => Promise<void>;
  /** Freezes the server: connections stay open and nothing answers. */
  pause: () => void;
  resume: () => void;
  /** Ends the server and removes its folder; may be called twice. */
  stop: () => Promise<void>;
};

const REDIS_SERVER = process.env['REDIS_SERVER'] ?? 'redis-server';
const START_TIMEOUT_MS = 60_000;

/** Starts a server; it ends with the process that started it, also when that is killed. */
export async function launchRedis(): Promise<RunningRedis> {
  // Not under the test's own folders: a unix socket's path may have 107 bytes at most.
  const folder = await mkdtemp(join(tmpdir(), 'hw-redis-'));
  const url = join(folder, 's');
  let server = await launch(folder, url);
  return {
    url,
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
  // As jobs/processes/redis-server.ts has it.
  const durable = ['--appendonly', 'yes', '--appendfsync', 'no'];
  const limits = ['--maxmemory-policy', 'noeviction'];
  const server = spawn(REDIS_SERVER, [...settings, ...durable, ...limits], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  await new Promise<void>((resolve, reject) => {
    const fail = (why: string) => {
      server.kill('SIGKILL');
      reject(new Error(`redis-server did not start: ${why}\n${said}`));
    };
    const timer = setTimeout(() => fail('too slow'), START_TIMEOUT_MS);
    const read = (chunk: Buffer) => {
      said += chunk.toString();
      // Said once the append-only file is loaded; the wording differs with the kind of socket.
      if (/ready to accept connections/i.test(said)) {
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
  dieTogether(server, folder);
  return server;
}

/** A test process that is killed leaves no server behind: its end of a pipe closes, and the shell at the other acts. */
function dieTogether(server: ChildProcess, folder: string): void {
  const script = 'read -r _; kill -9 "$1"; rm -rf "$2"';
  const guard = spawn('sh', ['-c', script, 'guard', String(server.pid), folder], {
    // A group of its own, out of reach of Ctrl-C.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  server.once('exit', () => guard.kill('SIGKILL'));
}

async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const gone = once(server, 'exit');
  server.kill('SIGKILL');
  await gone;
}
