import { lstat, mkdir, readFile, realpath } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { sha256 } from '../../warehouse/ground/hashes.ts';
import { CommandError } from '../errors.ts';

/** The paths of the Redis in a data folder; the settings of redis-server use the same file names. */
export type RedisPaths = {
  /** `DATA_DIR/redis`, with the append-only file, the log and the process id. */
  folder: string;
  socket: string;
  pidFile: string;
  logFile: string;
  /** Contains the path of the socket, so that a command with another TMPDIR finds the server too. */
  socketRecord: string;
  lockFile: string;
};

/** Longest path of a socket. The kernel accepts 107 bytes on Linux and 103 bytes on macOS. */
const MAX_SOCKET_BYTES = 100;

/**
 * Returns the paths for a data folder and creates the folder. If a socket path in the data folder would be too long,
 * the socket is in the temporary folder.
 */
export async function prepareRedisPaths(
  dataDir: string,
  tmp: string = tmpdir(),
): Promise<RedisPaths> {
  await mkdir(join(dataDir, 'redis'), { recursive: true, mode: 0o700 }).catch((cause: Error) => {
    throw new CommandError(`DATA_DIR ${dataDir} cannot be used: ${cause.message}`, { cause });
  });
  // Use the real path: if two paths lead to one folder, they must also lead to the same server.
  const folder = join(await realpath(dataDir), 'redis');
  const socketRecord = join(folder, 'socket');
  const savedSocket = await readFile(socketRecord, 'utf8').catch(() => '');
  return {
    folder,
    socket: savedSocket.trim() || (await newSocketPath(folder, tmp)),
    pidFile: join(folder, 'redis.pid'),
    logFile: join(folder, 'redis.log'),
    socketRecord,
    lockFile: join(folder, 'lock'),
  };
}

/** Returns the path of the socket for a server that is about to start, and creates its folder. */
export async function newSocketPath(folder: string, tmp: string = tmpdir()): Promise<string> {
  const inside = join(folder, 'redis.sock');
  if (fits(inside)) return inside;
  const hash = sha256(folder).slice(0, 16);
  const name = join(`headwind-${userInfo().uid}-${hash}`, 'redis.sock');
  const socket = fits(join(tmp, name)) ? join(tmp, name) : join('/tmp', name);
  await makePrivate(dirname(socket));
  return socket;
}

/** Whether a socket can have this path. `?` and spaces have a meaning in addresses, so they are not allowed. */
function fits(path: string): boolean {
  return Buffer.byteLength(path) <= MAX_SOCKET_BYTES && /^[\w./@+-]+$/.test(path);
}

/**
 * Creates a private folder. Anyone can write in the temporary folder, so an existing folder there must belong to this
 * user.
 */
async function makePrivate(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const stats = await lstat(folder);
  const isPrivate =
    stats.isDirectory() && stats.uid === userInfo().uid && (stats.mode & 0o077) === 0;
  if (!isPrivate) {
    throw new CommandError(`${folder} is not a private folder of this user: remove it`);
  }
}
