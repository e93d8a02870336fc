import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Teardown } from '../../helpers/with-the-file.ts';

/** A folder of the test's own, removed at its end. */
export async function tempDir(t: Teardown): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'hw-jobs-'));
  t.teardown(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}
