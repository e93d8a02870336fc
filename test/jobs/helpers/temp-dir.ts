import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Teardown } from '../../helpers/file-teardown.ts';

/** Creates a folder that is removed at the end of the test. */
export async function tempDir(t: Teardown): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'hw-jobs-'));
  t.teardown(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}
