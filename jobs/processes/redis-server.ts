import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CommandError } from '../errors.ts';
import { connectOnce, countOthers, pingRedis } from './redis-client.ts';
import { newSocketPath } from './redis-place.ts';
import type { RedisPlace } from './redis-place.ts';

const POLL_MS = 25;
/** A living server that does not answer for this long, and is not loading, will not. */
const ANSWER_PATIENCE_MS = 5_000;
const START_PATIENCE_MS = 10_000;
const STOP_PATIENCE_MS = 10_000;

/**
 * Sees to it that the Redis of that place runs, and gives its socket; one that runs already is used.
 * The caller holds the lock of the place.
 */
export async function ensureServer(place: RedisPlace): Promise<string> {
  const pid = await livingServer(place);
  if (await answers(place.socket, () => pid !== undefined && isAlive(pid), ANSWER_PATIENCE_MS)) {
    return place.socket;
  }
  // Alive, but its socket file is gone or it is frozen: two servers must never share a folder.
  if (pid !== undefined) await endProcess(pid);
  return launch(place);
}

/**
 * Stops the Redis of that place when nobody is connected to it any more; says whether it is gone.
 * The caller holds the lock, so nobody comes in meanwhile.
 */
export async function stopServerIfUnused(place: RedisPlace): Promise<boolean> {
  const redis = await connectOnce(place.socket, 'headwind-leave').catch(() => undefined);
  if (redis === undefined) return true;
  try {
    if ((await countOthers(redis)) > 0) return false;
    const pid = await livingServer(place);
    // The answer to SHUTDOWN is the end of the connection.
    await redis.shutdown().catch(() => undefined);
    if (pid !== undefined) await waitForEnd(pid, STOP_PATIENCE_MS);
    await rm(place.socketRecord, { force: true });
    const socketFolder = dirname(place.socket);
    if (socketFolder !== place.folder) await rm(socketFolder, { recursive: true, force: true });
    return true;
  } finally {
    redis.disconnect();
  }
}

async function launch(place: RedisPlace): Promise<string> {
  const socket = await newSocketPath(place.folder);
  await rm(socket, { force: true });
  writeFileSync(place.socketRecord, socket);
  const server = spawn('redis-server', serverSettings(socket), {
    cwd: place.folder,
    // A session of its own: a Ctrl-C in the terminal must not end it before the others.
    detached: true,
    stdio: 'ignore',
  });
  const failure = failureOf(server);
  server.unref();
  remember(server, place);
  const isUp = await answers(socket, () => failure() === undefined, START_PATIENCE_MS);
  if (isUp) return socket;
  throw failure() ?? new CommandError(`Redis did not start: see ${place.logFile}`);
}

/** Keeps its number, without which nobody would find it again; where there is no room for that, it must not run. */
function remember(server: ChildProcess, { pidFile }: RedisPlace): void {
  if (server.pid === undefined) return;
  try {
    // Also written by redis-server itself, a little later; a kill -9 of ours may come in between.
    writeFileSync(pidFile, String(server.pid));
  } catch (cause) {
    server.kill('SIGKILL');
    throw new CommandError(`Redis was not started: ${pidFile} cannot be written`, { cause });
  }
}

function serverSettings(socket: string): string[] {
  const settings = {
    port: '0',
    unixsocket: socket,
    unixsocketperm: '700',
    dir: '.',
    logfile: 'redis.log',
    pidfile: 'redis.pid',
    appendonly: 'yes',
    // Each write is handed to the kernel before it is answered, and so survives a kill of any process. `everysec` would
    // not keep that: while its sync of a busy disk lasts, Redis answers writes it holds in its own memory, up to 2 s.
    // A power cut costs what the kernel had not written, up to half a minute; the archive of keys is synced.
    appendfsync: 'no',
    save: '',
    'maxmemory-policy': 'noeviction',
  };
  return Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
}

function failureOf(server: ChildProcess): () => CommandError | undefined {
  let failure: CommandError | undefined;
  server.once('error', (cause: NodeJS.ErrnoException) => {
    const why = cause.code === 'ENOENT' ? 'is not installed' : `cannot start (${cause.message})`;
    failure = new CommandError(`Redis ${why}: run make setup, or set REDIS_URL`, { cause });
  });
  server.once('exit', (code, signal) => {
    failure ??= new CommandError(`Redis ended at its start (${signal ?? `exit code ${code}`})`);
  });
  return () => failure;
}

/** Waits while the server is alive; a server that loads its file may take as long as it needs. */
async function answers(socket: string, isRunning: () => boolean, patienceMs: number) {
  let until = Date.now() + patienceMs;
  for (;;) {
    const state = await pingRedis(socket);
    if (state === 'ready') return true;
    if (state === 'loading') until = Date.now() + patienceMs;
    else if (!isRunning() || Date.now() > until) return false;
    await sleep(POLL_MS);
  }
}

/** The process id of the server that left its id in the place and still runs. */
async function livingServer(place: RedisPlace): Promise<number | undefined> {
  const pid = Number(await readFile(place.pidFile, 'utf8').catch(() => ''));
  if (!Number.isInteger(pid) || pid <= 0 || !isAlive(pid)) return undefined;
  if (!existsSync('/proc/self/cmdline')) return pid;
  // After a restart of the machine the id may be that of another program.
  const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return commandLine.includes(place.socket) ? pid : undefined;
}

async function endProcess(pid: number): Promise<void> {
  process.kill(pid, 'SIGTERM');
  if (await waitForEnd(pid, STOP_PATIENCE_MS)) return;
  process.kill(pid, 'SIGKILL');
  await waitForEnd(pid, STOP_PATIENCE_MS);
}

async function waitForEnd(pid: number, patienceMs: number): Promise<boolean> {
  const until = Date.now() + patienceMs;
  while (isAlive(pid)) {
    if (Date.now() > until) return false;
    await sleep(POLL_MS);
  }
  return true;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
