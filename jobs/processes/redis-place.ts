import { lstat, mkdir, readFile, realpath } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { sha256 } from '../../warehouse/ground/sha256.ts';
import { CommandError } from '../errors.ts';

/** Where the Redis of a data folder lives; files are named as redis-server is told. */
export type RedisPlace = {
  /** `DATA_DIR/redis`: the append-only file, the log, the process id. */
  folder: string;
  socket: string;
  pidFile: string;
  logFile: string;
  /** Names the socket in use, so that a command with another TMPDIR finds the server too. */
  socketRecord: string;
  lockFile: string;
};

/** The kernel takes 107 bytes on Linux and 103 on macOS. */
const MAX_SOCKET_BYTES = 100;

/** The place of that data folder, made when missing; a deep folder has its socket under the temporary folder. */
export async function redisPlace(dataDir: string, tmp: string = tmpdir()): Promise<RedisPlace> {
  await mkdir(join(dataDir, 'redis'), { recursive: true, mode: 0o700 }).catch((cause: Error) => {
    throw new CommandError(`DATA_DIR ${dataDir} cannot be used: ${cause.message}`, { cause });
  });
  // Two names of one folder must lead to one server.
  const folder = join(await realpath(dataDir), 'redis');
  const socketRecord = join(folder, 'socket');
  const recorded = await readFile(socketRecord, 'utf8').catch(() => '');
  return {
    folder,
    socket: recorded.trim() || (await newSocketPath(folder, tmp)),
    pidFile: join(folder, 'redis.pid'),
    logFile: join(folder, 'redis.log'),
    socketRecord,
    lockFile: join(folder, 'lock'),
  };
}

/** Where a server about to start puts its socket. */
export async function newSocketPath(folder: string, tmp: string = tmpdir()): Promise<string> {
  const inside = join(folder, 'redis.sock');
  if (fits(inside)) return inside;
  const hash = sha256(folder).slice(0, 16);
  const name = join(`headwind-${userInfo().uid}-${hash}`, 'redis.sock');
  const socket = fits(join(tmp, name)) ? join(tmp, name) : join('/tmp', name);
  await makePrivate(dirname(socket));
  return socket;
}

/** `?` and spaces mean something else in an address, so such folders count as too deep. */
function fits(path: string): boolean {
  return Buffer.byteLength(path) <= MAX_SOCKET_BYTES && /^[\w./@+-]+$/.test(path);
}

/** Anyone may write in the temporary folder: a folder there must be ours alone. */
async function makePrivate(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const found = await lstat(folder);
  const isOurs = found.isDirectory() && found.uid === userInfo().uid && (found.mode & 0o077) === 0;
  if (!isOurs) throw new CommandError(`${folder} is not a private folder of ours: remove it`);
}
