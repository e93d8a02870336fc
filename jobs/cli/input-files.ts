import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, constants, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { CommandError } from '../errors.ts';
import type { JobProgress } from '../queue/queues.ts';

/** Refuses files that are not there or cannot be read, all in one message. */
export async function checkFiles(paths: string[]): Promise<void> {
  if (paths.length === 0) throw new CommandError('No file given: make ingest FILE=path');
  const problems = await Promise.all(paths.map(problemOf));
  const found = problems.filter((problem) => problem !== undefined);
  if (found.length > 0) throw new CommandError(`Nothing was read: ${found.join('; ')}`);
}

/** Smaller files are read before anyone wonders. */
const TELL_FROM_BYTES = 64_000_000;

/** SHA-256 of the file in hex; of a big one, tells how many bytes of how many are read. */
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
    if (size >= TELL_FROM_BYTES) progress({ done, total: size, what: basename(path) });
  }
  return hash.digest('hex');
}

async function problemOf(path: string): Promise<string | undefined> {
  try {
    const found = await stat(path);
    if (!found.isFile()) return `${path} is not a file`;
    await access(path, constants.R_OK);
    return undefined;
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    return isMissing ? `${path} does not exist` : `${path} cannot be read`;
  }
}
