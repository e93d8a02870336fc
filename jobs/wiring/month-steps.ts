import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { SourceRefusedError } from '../../pipelines/errors.ts';
import { downloadPlace } from '../../pipelines/flights/download-place.ts';
import { download } from '../../pipelines/flights/download.ts';
import type { ExtractMonthDeps } from '../../pipelines/flights/extract-month.ts';
import type { HttpGet } from '../../pipelines/http-get.ts';
import { isMissing } from '../../warehouse/ground/files.ts';
import { fileSha256 } from '../../warehouse/ground/sha256.ts';
import { createSemaphore } from '../processes/semaphore.ts';
import { withLock } from '../processes/lock.ts';

/** BTS sends one file at a few MB/s; two keep the line busy, more would only slow each other and annoy the server. */
const DOWNLOADS_AT_ONCE = 2;
/** Longer than a download may take. */
const LOCK_PATIENCE_MS = 35 * 60_000;

/** Where downloads are kept: for resuming, for asking only for what changed, and for extracting again. */
export function downloadsDir(dataDir: string): string {
  return path.join(dataDir, 'downloads');
}

export type MonthFilesConfig = { dataDir: string; offline: boolean };

/** How a worker gets the files of months: downloads into the data folder, or looks into a folder. */
export function createMonthFiles(
  { dataDir, offline }: MonthFilesConfig,
  get: HttpGet,
): Pick<ExtractMonthDeps, 'fetchFile' | 'listFolder' | 'sha256'> {
  const folder = downloadsDir(dataDir);
  const gate = createSemaphore(DOWNLOADS_AT_ONCE);
  return {
    fetchFile: async ({ url, name, force }, progress) => {
      if (offline) throw new SourceRefusedError(url, 'not fetched, for OFFLINE=1 is set');
      await mkdir(folder, { recursive: true });
      const deps = { get, place: downloadPlace(folder, name) };
      // A job whose worker was taken for dead may run twice, and both would write the same part.
      const alone = () =>
        withLock(path.join(folder, `${name}.lock`), LOCK_PATIENCE_MS, () =>
          download({ url, force }, deps, progress),
        );
      return gate(alone);
    },
    listFolder,
    sha256: fileSha256,
  };
}

/** The names in a folder of flight files; one that is not there is refused, for waiting will not make it. */
export async function listFolder(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (cause) {
    throw isMissing(cause) ? new SourceRefusedError(folder, 'is not there', { cause }) : cause;
  }
}
