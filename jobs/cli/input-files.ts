import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, constants, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { CommandError } from '../errors.ts';
import type { JobProgress } from '../queue/queues.ts';

/** Throws one `CommandError` that lists all files that are missing or unreadable. */
export async function checkFiles(paths: string[]): Promise<void> {
  if (paths.length === 0) throw new CommandError('No file given: make ingest FILE=path');
  const results = await Promise.all(paths.map(findProblem));
  const problems = results.filter((problem) => problem !== undefined);
  if (problems.length > 0) throw new CommandError(`Nothing was loaded: ${problems.join('; ')}`);
}

/** Smaller files are hashed quickly enough without progress reports. */
const PROGRESS_FROM_BYTES = 64_000_000;

/** Returns the SHA-256 of the file in hex. Reports progress in bytes if the file is large. */
export async function hashFile(
  path: string,
  progress: (progress: JobProgress) => void,
  signal: AbortSignal,
): Promise<string> {
  const { size } = await stat(path);
  const hash = createHash('sha256');
  let done = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
    signal.throwIfAborted();
    hash.update(chunk as Buffer);
    done += (chunk as Buffer).length;
    if (size >= PROGRESS_FROM_BYTES) progress({ done, total: size, what: basename(path) });
  }
  return hash.digest('hex');
}

async function findProblem(path: string): Promise<string | undefined> {
  try {
    const stats = await stat(path);
    if (!stats.isFile()) return `${path} is not a file`;
    await access(path, constants.R_OK);
    return undefined;
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    return isMissing ? `${path} does not exist` : `${path} cannot be read`;
  }
}
