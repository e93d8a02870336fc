import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { constants, copyFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { CorruptFileError } from '../errors.ts';
import { syncPath } from '../ground/files.ts';
import type { DataPaths } from '../paths.ts';
import { sweepAside } from './database-file.ts';

const ATTEMPTS = 3;

/**
 * Puts a copy of the DuckDB file, which must be closed, in the place of the one before, for tools that stay on it: it takes no
 * lock from any job, and who has the one before open goes on with it. What a tool wrote into that one stays there: its log is not for
 * the new one. Throws when the file changed each time it was copied.
 */
export async function copyForReaders({
  warehouseFile,
  readFile,
}: Pick<DataPaths, 'warehouseFile' | 'readFile'>): Promise<void> {
  for (const file of [warehouseFile, readFile]) await sweepAside(file);
  const aside = `${readFile}.${randomUUID()}.aside`;
  try {
    if (!(await copied(warehouseFile, aside))) {
      throw new CorruptFileError(warehouseFile, 'another process writes it');
    }
    await syncPath(aside);
    await rm(`${readFile}.wal`, { force: true });
    await rename(aside, readFile);
    await syncPath(path.dirname(readFile));
  } finally {
    await rm(aside, { force: true });
  }
}

/** Whether nobody wrote the file while it was copied. */
async function copied(file: string, to: string): Promise<boolean> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const before = await stat(file);
    await copyFile(file, to, constants.COPYFILE_FICLONE);
    const after = await stat(file);
    const isSame = before.mtimeMs === after.mtimeMs && before.size === after.size;
    if (isSame && !existsSync(`${file}.wal`)) return true;
  }
  return false;
}
