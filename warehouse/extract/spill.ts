import path from 'node:path';
import { ensureDir } from '../ground/files.ts';
import { removeLeftovers, temporaryPath } from '../ground/temporary.ts';

/**
 * Returns a new path in the spill folder of the lake, for a temporary file or folder. First removes leftovers of killed
 * processes.
 */
export async function createSpillPath(lakeDir: string, now: () => Date): Promise<string> {
  const folder = path.join(lakeDir, 'spill');
  await ensureDir(folder);
  await removeLeftovers(folder, now());
  return temporaryPath(folder);
}
