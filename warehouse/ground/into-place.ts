import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { ensureDir, publishFile, syncPath } from './files.ts';

/**
 * Has `write` fill a temporary file, then gives that file its name. A reader finds the old file or the whole new one, also
 * after a power cut. Temporary names are random: process ids repeat between containers that share a folder.
 */
export async function intoPlace(
  file: string,
  write: (temporary: string) => Promise<void>,
): Promise<void> {
  const folder = path.dirname(file);
  await ensureDir(folder);
  const temporary = temporaryIn(folder);
  try {
    await write(temporary);
    await publishFile(temporary, file);
    await syncPath(folder);
  } finally {
    await rm(temporary, { force: true });
  }
}

/** A new name in the folder, for what is not whole yet. */
export function temporaryIn(folder: string): string {
  return path.join(folder, `.${randomUUID()}.tmp`);
}

/** Whether a name was given by `temporaryIn`, or by earlier code for the same purpose. */
export function isTemporary(name: string): boolean {
  return name.startsWith('.tmp-') || (name.startsWith('.') && name.endsWith('.tmp'));
}
