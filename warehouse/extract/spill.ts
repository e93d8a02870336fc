import { randomUUID } from 'node:crypto';
import { readdir, readFile, readlink, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { DAY_MS } from '../ground/dates.ts';
import { sha256 } from '../ground/sha256.ts';
import { ensureDir } from '../ground/files.ts';

/** What processes of other machines left; those of this one are known to be dead or alive. */
const LEFTOVER_AFTER_MS = DAY_MS;

/**
 * A new path in the lake's spill folder, for a file or a folder that goes when the work is done. What killed
 * processes left there is removed first: at once when they ran here, after a day when they ran elsewhere.
 */
export async function spillPath(lakeDir: string, now: () => Date): Promise<string> {
  const folder = path.join(lakeDir, 'spill');
  await ensureDir(folder);
  const here = await thisMachine();
  await sweepSpill(folder, here, now);
  return path.join(folder, `${here}-${process.pid}-${randomUUID()}`);
}

async function sweepSpill(folder: string, here: string, now: () => Date): Promise<void> {
  const before = new Date(now().getTime() - LEFTOVER_AFTER_MS);
  for (const name of await readdir(folder)) {
    const [, machine, pid] = /^([0-9a-f]{12})-(\d+)-/.exec(name) ?? [];
    const filePath = path.join(folder, name);
    if (machine === here ? !isAlive(Number(pid)) : await isOlder(filePath, before)) {
      await rm(filePath, { force: true, recursive: true });
    }
  }
}

/** Where a process id means something: one start of one machine, and one container on it. */
async function thisMachine(): Promise<string> {
  // Outside Linux the name of the host must do.
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '');
  const container = await readlink('/proc/self/ns/pid').catch(() => '');
  return sha256(`${hostname()} ${boot} ${container}`).slice(0, 12);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's process: it lives.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

async function isOlder(filePath: string, before: Date): Promise<boolean> {
  // Another process may sweep the same folder.
  const found = await stat(filePath).catch(() => undefined);
  return found !== undefined && found.mtime < before;
}
