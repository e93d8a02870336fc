import { existsSync } from 'node:fs';
import { constants, copyFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { CorruptFileError } from '../errors.ts';
import { syncPath } from '../ground/files.ts';
import { removeLeftovers, withTemporary } from '../ground/temporary.ts';
import type { DataPaths } from '../paths.ts';

const ATTEMPTS = 3;

/**
 * Replaces the read copy of the DuckDB file. The DuckDB file must be closed. Tools may keep the read copy open for any
 * length of time without blocking jobs. A tool that has the old copy open continues to read the old copy. Data that a tool wrote
 * into the old copy is lost. Throws if the DuckDB file changed during every attempt to copy it.
 */
export async function copyForReaders({
  warehouseFile,
  readFile,
}: Pick<DataPaths, 'warehouseFile' | 'readFile'>): Promise<void> {
  const folder = path.dirname(readFile);
  await removeLeftovers(folder);
  await withTemporary(folder, async (temporary) => {
    if (!(await copyUnchanged(warehouseFile, temporary))) {
      throw new CorruptFileError(warehouseFile, 'another process writes it');
    }
    await syncPath(temporary);
    await rm(`${readFile}.wal`, { force: true });
    await rename(temporary, readFile);
    await syncPath(folder);
  });
}

/** Copies the file. Returns whether the file stayed unchanged during the copy. */
async function copyUnchanged(file: string, to: string): Promise<boolean> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const before = await stat(file);
    await copyFile(file, to, constants.COPYFILE_FICLONE);
    const after = await stat(file);
    const isSame = before.mtimeMs === after.mtimeMs && before.size === after.size;
    if (isSame && !existsSync(`${file}.wal`)) return true;
  }
  return false;
}
