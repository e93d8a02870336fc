import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { isMissing } from '../ground/files.ts';

/** What a running service has open in a folder: nothing of it is worth keeping. */
const LEFT_OUT = new Set(['locks', 'spill']);

/** Every file below a folder, as paths from there, in order; none where it is missing. Those being written are left out. */
export async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(
    (error: unknown) => {
      if (isMissing(error)) return [];
      throw error;
    },
  );
  return entries
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.tmp'))
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .filter((name) => !isBeingWritten(name.split(path.sep)))
    .toSorted();
}

function isBeingWritten(parts: string[]): boolean {
  return LEFT_OUT.has(parts[0] ?? '') || parts.some((part) => part.startsWith('.'));
}
