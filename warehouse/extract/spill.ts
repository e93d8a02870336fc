import { randomUUID } from 'node:crypto';
import { readdir, readFile, readlink, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { DAY_MS } from '../ground/dates.ts';
import { sha256 } from '../ground/sha256.ts';
import { ensureDir } from '../ground/files.ts';

/**
 * Age at which leftovers of other machines are removed. Leftovers of this machine are removed as soon as the process
 * that wrote them is dead.
 */
const LEFTOVER_AGE_MS = DAY_MS;

/**
 * Returns a new path in the spill folder of the lake, for a temporary file or folder. First removes leftovers of killed
 * processes. Leftovers of this machine are removed at once, and leftovers of other machines are removed after a day.
 */
export async function createSpillPath(lakeDir: string, now: () => Date): Promise<string> {
  const folder = path.join(lakeDir, 'spill');
  await ensureDir(folder);
  const machineId = await identifyMachine();
  await removeLeftovers(folder, machineId, now);
  return path.join(folder, `${machineId}-${process.pid}-${randomUUID()}`);
}

async function removeLeftovers(folder: string, here: string, now: () => Date): Promise<void> {
  const before = new Date(now().getTime() - LEFTOVER_AGE_MS);
  for (const name of await readdir(folder)) {
    const [, machine, pid] = /^([0-9a-f]{12})-(\d+)-/.exec(name) ?? [];
    const filePath = path.join(folder, name);
    if (machine === here ? !isAlive(Number(pid)) : await isOlder(filePath, before)) {
      await rm(filePath, { force: true, recursive: true });
    }
  }
}

/** Identifies the scope in which process ids are unique, which is one container on one boot of one machine. */
async function identifyMachine(): Promise<string> {
  // Outside Linux, only the host name identifies the machine.
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '');
  const container = await readlink('/proc/self/ns/pid').catch(() => '');
  return sha256(`${hostname()} ${boot} ${container}`).slice(0, 12);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM means that the process is alive and belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

async function isOlder(filePath: string, before: Date): Promise<boolean> {
  // Another process may remove leftovers at the same time.
  const stats = await stat(filePath).catch(() => undefined);
  return stats !== undefined && stats.mtime < before;
}
