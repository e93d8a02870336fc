import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { constants, copyFile, link, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase, type Database } from '../connect.ts';
import { CorruptFileError, WarehouseBusyError } from '../errors.ts';
import { syncPath } from '../ground/files.ts';
import { areTablesDescribed, describeTables } from './describe.ts';
import { isMigrated, migrate } from './migrate.ts';

/** DuckDB spills to disk beyond this, so that a worker stays within a small machine. */
const MEMORY_LIMIT = '1500MB';

/** How a file that another process has is waited for. */
export type Waiting = {
  /** How long it is waited for; a person's query ends within half a minute. */
  patienceMs?: number;
  /** Told who has it, at once and every few seconds. */
  waits?: (holder: string) => void;
};

/** A tool that somebody left open on the file: long enough for a person who is told to close it. */
const BUSY_PATIENCE_MS = 15 * 60_000;
const BUSY_RETRY_MS = 100;
const TELL_EVERY_MS = 5_000;

/** The three headers DuckDB begins a file with, 4,096 bytes each: a shorter one holds nothing. */
const HEADER_BYTES = 12_288;

/** A younger one may be at work in another process. */
const LEFTOVER_AFTER_MS = 60 * 60_000;

/**
 * Opens the DuckDB file at the newest layout. It is made, and brought to a newer layout, beside its place and put there
 * when it is whole: DuckDB cannot open a file whose making was cut short, nor replay every change of a table from its log.
 */
export async function openMigrated(file: string, waiting: Waiting = {}): Promise<Database> {
  if (await isStub(file)) await rm(file);
  if (existsSync(file)) {
    const db = await openWhenFree(file, waiting);
    if (await closedUnless(db, () => isReady(db))) return db;
    // What a killed process left in its log is to be in the copy.
    await closedUnless(db, () => db.run('checkpoint'));
    db.close();
  }
  await putMigrated(file);
  return openWhenFree(file, waiting);
}

async function isReady(db: Database): Promise<boolean> {
  return (await isMigrated(db)) && areTablesDescribed(db);
}

/** What the work gives; when it throws, the database is closed. */
async function closedUnless<T>(db: Database, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Whether it is what earlier code left when it was killed while it made the file. */
async function isStub(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => undefined);
  return found !== undefined && found.size < HEADER_BYTES;
}

async function putMigrated(file: string): Promise<void> {
  await sweepAside(file);
  const aside = `${file}.${randomUUID()}.aside`;
  const isNew = !existsSync(file);
  // The log of a file that somebody removed is not for this one.
  if (isNew) await rm(`${file}.wal`, { force: true });
  try {
    if (!isNew) await copyFile(file, aside, constants.COPYFILE_FICLONE);
    const db = await openDatabase({ path: aside, memoryLimit: MEMORY_LIMIT });
    await closedUnless(db, async () => {
      await migrate(db);
      await describeTables(db);
      await db.run('checkpoint');
    });
    db.close();
    await syncPath(aside);
    await (isNew ? linkOrRename(aside, file) : rename(aside, file));
    await syncPath(path.dirname(file));
  } finally {
    for (const leftover of [aside, `${aside}.wal`]) await rm(leftover, { force: true });
  }
}

/** Gives the file its name unless another process was first; a file system without links cannot tell. */
async function linkOrRename(aside: string, file: string): Promise<void> {
  try {
    await link(aside, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') await rename(aside, file);
  }
}

/** Removes what killed processes left beside the file. */
export async function sweepAside(file: string): Promise<void> {
  const folder = path.dirname(file);
  for (const name of await readdir(folder)) {
    if (!name.startsWith(path.basename(file)) || !/\.aside(?:\.wal)?$/.test(name)) continue;
    const leftover = path.join(folder, name);
    const found = await stat(leftover).catch(() => undefined);
    const ageMs = Date.now() - (found?.mtimeMs ?? Date.now());
    if (ageMs > LEFTOVER_AFTER_MS) await rm(leftover, { force: true });
  }
}

async function openWhenFree(
  file: string,
  { patienceMs = BUSY_PATIENCE_MS, waits }: Waiting,
): Promise<Database> {
  const until = Date.now() + patienceMs;
  let tellAt = 0;
  for (;;) {
    try {
      return await openDatabase({ path: file, memoryLimit: MEMORY_LIMIT });
    } catch (error) {
      if (!(error instanceof WarehouseBusyError)) throw unreadable(file, error);
      if (Date.now() > until) throw error;
      if (Date.now() >= tellAt) {
        waits?.(error.holder);
        tellAt = Date.now() + TELL_EVERY_MS;
      }
      await sleep(BUSY_RETRY_MS);
    }
  }
}

/** DuckDB gives no error codes: what it says of a log it cannot replay, which no second try can help. */
function unreadable(file: string, cause: unknown): unknown {
  const isLog = cause instanceof Error && cause.message.includes('Failure while replaying WAL');
  if (!isLog) return cause;
  const help = 'make rebuild makes it anew from the lake';
  return new CorruptFileError(file, `what a killed process left cannot be read: ${help}`, {
    cause,
  });
}
