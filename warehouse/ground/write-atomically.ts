import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { ensureDir, publishFile, syncPath } from './files.ts';

/**
 * Replaces a file atomically: `write` fills a temporary file, which is then renamed. Readers see the old file or the
 * whole new file, even after a power cut. Temporary names are random, because process ids repeat between containers
 * that share a folder.
 */
export async function writeAtomically(
  file: string,
  write: (temporary: string) => Promise<void>,
): Promise<void> {
  const folder = path.dirname(file);
  await ensureDir(folder);
  const temporary = temporaryPath(folder);
  try {
    await write(temporary);
    await publishFile(temporary, file);
    await syncPath(folder);
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Returns an unused path in the folder for an unfinished file. */
export function temporaryPath(folder: string): string {
  return path.join(folder, `.${randomUUID()}.tmp`);
}

/** Whether `temporaryPath`, or `temporaryPath` of an earlier version of the code, made this name. */
export function isTemporaryName(name: string): boolean {
  return name.startsWith('.tmp-') || (name.startsWith('.') && name.endsWith('.tmp'));
}
