import { randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { DAY_MS } from './dates.ts';
import { listEntries, statIfExists, ensureDir, publishFile, syncPath } from './files.ts';
import { sha256 } from './hashes.ts';

/**
 * Matches the name of a temporary file or folder: an id of the machine, the id of the process that owns it, and a
 * random part. DuckDB adds `.wal` and `.tmp` to the name of a database.
 */
const OWNED = /^\.([0-9a-f]{12})-(\d+)-[0-9a-f-]{36}\.tmp(?:\.wal|\.tmp)?$/;

/**
 * Age at which temporary files of other machines are removed. Temporary files of this machine are removed as soon as
 * the process that owns them has ended.
 */
const FOREIGN_AGE_MS = DAY_MS;

/** A removed file or folder, and the disk space that its removal freed. */
export type Removed = { path: string; bytes: number };

/** Returns an unused path in the folder for an unfinished file or folder that this process owns. */
export function temporaryPath(folder: string): string {
  return path.join(folder, `.${identifyMachine()}-${process.pid}-${randomUUID()}.tmp`);
}

/**
 * Names that DuckDB adds to the name of a database: its write-ahead log, and the folder for data that does not fit into
 * memory.
 */
const DUCKDB_SUFFIXES = ['', '.wal', '.tmp'];

/**
 * Calls `work` with a temporary path in the folder. Afterwards removes the file or folder at this path, unless `work`
 * has renamed it. `work` may open a database at this path.
 */
export async function withTemporary<T>(
  folder: string,
  work: (temporary: string) => Promise<T>,
): Promise<T> {
  const temporary = temporaryPath(folder);
  try {
    return await work(temporary);
  } finally {
    for (const suffix of DUCKDB_SUFFIXES) {
      await rm(`${temporary}${suffix}`, { force: true, recursive: true });
    }
  }
}

/** Removes temporary files from a folder if the process that owns them has ended. Does not search subfolders. */
export async function removeLeftovers(folder: string, now: Date = new Date()): Promise<Removed[]> {
  const removed: Removed[] = [];
  for (const { name } of await listEntries(folder)) {
    const file = path.join(folder, name);
    if (!(await isLeftover(file, now))) continue;
    const bytes = await measureBytes(file);
    await rm(file, { force: true, recursive: true });
    removed.push({ path: file, bytes });
  }
  return removed;
}

/** Removes temporary files from a folder and all its subfolders if the process that owns them has ended. */
export async function sweepLeftovers(folder: string, now: Date = new Date()): Promise<Removed[]> {
  const removed = await removeLeftovers(folder, now);
  for (const entry of await listEntries(folder)) {
    // Skip temporary folders. A temporary folder that was not removed belongs to a running process.
    if (!entry.isDirectory() || OWNED.test(entry.name)) continue;
    removed.push(...(await sweepLeftovers(path.join(folder, entry.name), now)));
  }
  return removed;
}

/** Returns the bytes that a file, or a folder with its subfolders, occupies on the disk; 0 if it does not exist. */
export async function measureBytes(file: string): Promise<number> {
  const stats = await statIfExists(file);
  if (stats === undefined) return 0;
  // The kernel counts blocks of 512 bytes.
  let bytes = stats.blocks * 512;
  if (!stats.isDirectory()) return bytes;
  for (const { name } of await listEntries(file)) {
    bytes += await measureBytes(path.join(file, name));
  }
  return bytes;
}

async function isLeftover(file: string, now: Date): Promise<boolean> {
  const name = path.basename(file);
  const [, machine, pid] = OWNED.exec(name) ?? [];
  const isOwn = machine === identifyMachine() && Number(pid) === process.pid;
  if (machine === identifyMachine() && !isOwn) return !isAlive(Number(pid));
  if (machine === undefined) return false;
  const stats = await statIfExists(file);
  if (isOwn) return stats !== undefined && stats.ctimeMs < processStart();
  return stats !== undefined && stats.mtimeMs < now.getTime() - FOREIGN_AGE_MS;
}

let machineId: string | undefined;

/** Returns an id of the scope in which process ids are unique: one container, on one boot of one machine. */
function identifyMachine(): string {
  machineId ??= sha256(
    // On systems other than Linux, only the host name is available.
    [
      hostname(),
      orEmpty(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')),
      orEmpty(() => readlinkSync('/proc/self/ns/pid')),
    ].join(' '),
  ).slice(0, 12);
  return machineId;
}

function orEmpty(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}

/**
 * Returns the start time of this process, in ms since 1970. After a restart of a container, the new process often has
 * the same id as the killed process. Files with this process id that are older than this time are therefore leftovers.
 */
function processStart(): number {
  return Date.now() - process.uptime() * 1_000;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM means that the process is running and belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/**
 * Replaces a file atomically. `write` fills a temporary file, which is then renamed. Readers see the old file or the
 * complete new file, even after a power failure.
 */
export async function writeAtomically(
  file: string,
  write: (temporary: string) => Promise<void>,
): Promise<void> {
  const folder = path.dirname(file);
  await ensureDir(folder);
  await withTemporary(folder, async (temporary) => {
    await write(temporary);
    await publishFile(temporary, file);
  });
  await syncPath(folder);
}
