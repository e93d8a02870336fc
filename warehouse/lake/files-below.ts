import path from 'node:path';
import { entriesBelow, entriesIn } from '../ground/files.ts';

/** What a running service has open in a folder, or a disk has of its own: nothing of it is worth keeping. */
const LEFT_OUT = new Set(['locks', 'spill', 'lost+found']);

/** Every file below a folder, as paths from there, in order; none where it is missing. Those being written are left out. */
export async function filesBelow(folder: string): Promise<string[]> {
  const entries = await entriesIn(folder);
  const below = entries
    .filter((entry) => entry.isDirectory() && !isBeingWritten([entry.name]))
    .map((entry) => entriesBelow(path.join(folder, entry.name)));
  return [...entries, ...(await Promise.all(below)).flat()]
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.tmp'))
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .filter((name) => !isBeingWritten(name.split(path.sep)))
    .toSorted();
}

function isBeingWritten(parts: string[]): boolean {
  return LEFT_OUT.has(parts[0] ?? '') || parts.some((part) => part.startsWith('.'));
}
