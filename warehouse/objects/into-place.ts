import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { ensureDir, publishFile } from '../ground/files.ts';

/** Has a file written under another name beside its own, and gives it its name when it is whole. */
export async function intoPlace(
  file: string,
  write: (temporary: string) => Promise<void>,
): Promise<void> {
  await ensureDir(path.dirname(file));
  const temporary = path.join(path.dirname(file), `.${randomUUID()}.tmp`);
  try {
    await write(temporary);
    await publishFile(temporary, file);
  } finally {
    await rm(temporary, { force: true });
  }
}
