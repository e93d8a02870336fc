import path from 'node:path';
import { ensureDir, publishFile, syncPath } from './files.ts';
import { withTemporary } from './temporary.ts';

/**
 * Replaces a file atomically: `write` fills a temporary file, which is then renamed. Readers see the old file or the
 * whole new file, even after a power cut.
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
