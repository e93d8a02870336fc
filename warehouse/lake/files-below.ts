import path from 'node:path';
import { listAllEntries, listEntries } from '../ground/files.ts';

/** Folders that belong to the running service or to the file system. A backup does not need them. */
const SKIPPED_FOLDERS = new Set(['locks', 'spill', 'lost+found']);

/**
 * Lists all files in a folder and its subfolders as sorted relative paths; empty if the folder does not exist.
 * Skips unfinished files.
 */
export async function listFilesBelow(folder: string): Promise<string[]> {
  const entries = await listEntries(folder);
  const nested = entries
    .filter((entry) => entry.isDirectory() && !isSkipped([entry.name]))
    .map((entry) => listAllEntries(path.join(folder, entry.name)));
  return [...entries, ...(await Promise.all(nested)).flat()]
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.tmp'))
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .filter((name) => !isSkipped(name.split(path.sep)))
    .toSorted();
}

function isSkipped(parts: string[]): boolean {
  return SKIPPED_FOLDERS.has(parts[0] ?? '') || parts.some((part) => part.startsWith('.'));
}
