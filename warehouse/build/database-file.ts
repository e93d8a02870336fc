import { existsSync } from 'node:fs';
import { constants, copyFile, link, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase, type Database } from '../connect.ts';
import { CorruptFileError, WarehouseBusyError } from '../errors.ts';
import { syncPath } from '../ground/files.ts';
import { removeLeftovers, temporaryPath, withTemporary } from '../ground/temporary.ts';
import { areTablesDescribed, describeTables } from './describe.ts';
import { isMigrated, migrate, namePending } from './migrate.ts';

/** Memory limit of DuckDB. Above this limit DuckDB writes to disk, so that a worker can run on a small machine. */
const MEMORY_LIMIT = '1500MB';

/** Options for waiting until another process closes the file. */
export type WaitOptions = {
  /** Maximum wait in milliseconds. A query typed by a person usually ends within half a minute. */
  maxWaitMs?: number;
  /** Called at once and then every few seconds, with the process that has the file open. */
  onWait?: (holder: string) => void;
};

/** Maximum wait for the file: long enough for a person to close a tool. */
const BUSY_PATIENCE_MS = 15 * 60_000;
const BUSY_RETRY_MS = 100;
const NOTIFY_INTERVAL_MS = 5_000;

/** A DuckDB file starts with three headers of 4,096 bytes each. A shorter file is empty. */
const HEADER_BYTES = 12_288;

/**
 * Opens the DuckDB file, migrated to the newest layout. Creation and migration happen in a temporary file, which then
 * replaces the original: DuckDB cannot open a half-created file, and cannot replay every table change from its log.
 */
export async function openMigrated(file: string, waiting: WaitOptions = {}): Promise<Database> {
  if (await isStub(file)) await rm(file);
  if (existsSync(file)) {
    const db = await openWhenFree(file, waiting);
    if (await closeOnError(db, () => isReady(db))) return db;
    // A killed process may have left a write-ahead log. Writes the changes in this log to the file before the file is
    // copied.
    await closeOnError(db, () => db.run('checkpoint'));
    db.close();
  }
  await replaceWithMigrated(file);
  return openWhenFree(file, waiting);
}

/**
 * Returns the names of the migrations that the file does not have yet; empty if the file does not exist. Changes
 * nothing. Throws `WarehouseTooNewError` if the file has a migration that this code does not know.
 */
export async function pendingMigrations(file: string): Promise<string[]> {
  if (!existsSync(file) || (await isStub(file))) return [];
  const db = await openWhenFree(file, {});
  try {
    return await namePending(db);
  } finally {
    db.close();
  }
}

async function isReady(db: Database): Promise<boolean> {
  return (await isMigrated(db)) && areTablesDescribed(db);
}

/** Returns the result of `work`; closes the database if `work` throws. */
async function closeOnError<T>(db: Database, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Whether the file is empty or incomplete, for example after a copy that was interrupted. */
async function isStub(file: string): Promise<boolean> {
  const stats = await stat(file).catch(() => undefined);
  return stats !== undefined && stats.size < HEADER_BYTES;
}

async function replaceWithMigrated(file: string): Promise<void> {
  await removeLeftovers(path.dirname(file));
  const isNew = !existsSync(file);
  // Also remove the log: DuckDB would replay the log of a removed file into a new file of the same name.
  if (isNew) await rm(`${file}.wal`, { force: true });
  await withTemporary(path.dirname(file), async (temporary) => {
    if (!isNew) await copyFile(file, temporary, constants.COPYFILE_FICLONE);
    const db = await openDatabase({ path: temporary, memoryLimit: MEMORY_LIMIT });
    await closeOnError(db, async () => {
      await migrate(db);
      await describeTables(db);
      await db.run('checkpoint');
    });
    db.close();
    await syncPath(temporary);
    await (isNew ? linkOrRename(temporary, file) : rename(temporary, file));
    await syncPath(path.dirname(file));
  });
}

/**
 * Moves the new file into place, unless another process created the file first. A file system without hard links cannot
 * detect that case.
 */
async function linkOrRename(temporary: string, file: string): Promise<void> {
  try {
    await link(temporary, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') await rename(temporary, file);
  }
}

async function openWhenFree(
  file: string,
  { maxWaitMs = BUSY_PATIENCE_MS, onWait }: WaitOptions,
): Promise<Database> {
  const deadline = Date.now() + maxWaitMs;
  let notifyAt = 0;
  for (;;) {
    try {
      const tempDir = temporaryPath(path.dirname(file));
      return await openDatabase({ path: file, memoryLimit: MEMORY_LIMIT, tempDir });
    } catch (error) {
      if (!(error instanceof WarehouseBusyError)) throw toOpenError(file, error);
      if (Date.now() > deadline) throw error;
      if (Date.now() >= notifyAt) {
        onWait?.(error.holder);
        notifyAt = Date.now() + NOTIFY_INTERVAL_MS;
      }
      await sleep(BUSY_RETRY_MS);
    }
  }
}

/**
 * Returns a final `CorruptFileError` if DuckDB cannot replay the log of the file; otherwise returns the error
 * unchanged. DuckDB has no error codes, so the message is compared.
 */
function toOpenError(file: string, cause: unknown): unknown {
  const isLog = cause instanceof Error && cause.message.includes('Failure while replaying WAL');
  if (!isLog) return cause;
  const help = 'make rebuild recreates it from the lake';
  return new CorruptFileError(
    file,
    `its log, left by a killed process, cannot be replayed: ${help}`,
    {
      cause,
    },
  );
}
