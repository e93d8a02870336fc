import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CommandError } from '../errors.ts';
import { connectOnce, countOtherConnections, pingRedis } from './redis-client.ts';
import { newSocketPath, type RedisPaths } from './redis-paths.ts';

const POLL_MS = 25;
/** A running server that neither answers nor loads for this long is restarted. */
const ANSWER_MAX_WAIT_MS = 5_000;
const START_MAX_WAIT_MS = 10_000;
const STOP_MAX_WAIT_MS = 10_000;

/**
 * Starts the Redis with these paths unless this Redis runs already. Returns its socket, and whether it was started now.
 * Call this function while holding the lock of `lockFile`.
 */
export async function ensureServer(paths: RedisPaths): Promise<{ socket: string; isNew: boolean }> {
  const pid = await findRunningServer(paths);
  if (
    await waitForAnswer(paths.socket, () => pid !== undefined && isAlive(pid), ANSWER_MAX_WAIT_MS)
  ) {
    return { socket: paths.socket, isNew: false };
  }
  // The server is frozen, or its socket file was deleted. Two servers must never share a folder.
  if (pid !== undefined) await endProcess(pid);
  return { socket: await launch(paths), isNew: true };
}

/**
 * Stops the Redis with these paths if no other client is connected. Returns whether it has stopped. Call this function
 * while holding the lock of `lockFile`, so that no client connects meanwhile.
 */
export async function stopServerIfUnused(paths: RedisPaths): Promise<boolean> {
  const redis = await connectOnce(paths.socket, 'headwind-leave').catch(() => undefined);
  if (redis === undefined) return true;
  try {
    if ((await countOtherConnections(redis)) > 0) return false;
    const pid = await findRunningServer(paths);
    // Redis answers SHUTDOWN by closing the connection.
    await redis.shutdown().catch(() => undefined);
    if (pid !== undefined) await waitForEnd(pid, STOP_MAX_WAIT_MS);
    await rm(paths.socketRecord, { force: true });
    const socketFolder = dirname(paths.socket);
    if (socketFolder !== paths.folder) await rm(socketFolder, { recursive: true, force: true });
    return true;
  } finally {
    redis.disconnect();
  }
}

async function launch(paths: RedisPaths): Promise<string> {
  const socket = await newSocketPath(paths.folder);
  await rm(socket, { force: true });
  writeFileSync(paths.socketRecord, socket);
  const server = spawn('redis-server', serverSettings(socket), {
    cwd: paths.folder,
    // Redis gets its own session, because Ctrl-C in the terminal must not end Redis before its clients.
    detached: true,
    stdio: 'ignore',
  });
  const failure = failureOf(server);
  server.unref();
  writePid(server, paths);
  const isUp = await waitForAnswer(socket, () => failure() === undefined, START_MAX_WAIT_MS);
  if (isUp) return socket;
  throw failure() ?? new CommandError(`Redis did not start: see ${paths.logFile}`);
}

/**
 * Writes the process id, which other commands need to find the server. Kills the server if the process id cannot be
 * written.
 */
function writePid(server: ChildProcess, { pidFile }: RedisPaths): void {
  if (server.pid === undefined) return;
  try {
    // redis-server writes this file too, but only later. This process may be killed before that.
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
    // Redis passes each write to the kernel before it answers, so acknowledged writes survive a kill of any process.
    // With `everysec`, Redis could acknowledge writes that are only in its own memory, for up to 2 s while it syncs a
    // busy disk. After a power cut, up to half a minute of writes is lost, because the kernel has not written them. The
    // archive of keys is always synced to disk.
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
    failure ??= new CommandError(`Redis ended while starting (${signal ?? `exit code ${code}`})`);
  });
  return () => failure;
}

/** Waits until the server answers, for `maxWaitMs` at most. While the server loads its file, the wait has no limit. */
async function waitForAnswer(socket: string, isRunning: () => boolean, maxWaitMs: number) {
  let until = Date.now() + maxWaitMs;
  for (;;) {
    const state = await pingRedis(socket);
    if (state === 'ready') return true;
    if (state === 'loading') until = Date.now() + maxWaitMs;
    else if (!isRunning() || Date.now() > until) return false;
    await sleep(POLL_MS);
  }
}

/** Returns the process id in `pidFile` if the server with this id still runs. */
async function findRunningServer(paths: RedisPaths): Promise<number | undefined> {
  const pid = Number(await readFile(paths.pidFile, 'utf8').catch(() => ''));
  if (!Number.isInteger(pid) || pid <= 0 || !isAlive(pid)) return undefined;
  if (!existsSync('/proc/self/cmdline')) return pid;
  // After a restart of the machine, another program may have this process id.
  const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return commandLine.includes(paths.socket) ? pid : undefined;
}

async function endProcess(pid: number): Promise<void> {
  process.kill(pid, 'SIGTERM');
  if (await waitForEnd(pid, STOP_MAX_WAIT_MS)) return;
  process.kill(pid, 'SIGKILL');
  await waitForEnd(pid, STOP_MAX_WAIT_MS);
}

async function waitForEnd(pid: number, maxWaitMs: number): Promise<boolean> {
  const until = Date.now() + maxWaitMs;
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
