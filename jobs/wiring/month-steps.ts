import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import pLimit from 'p-limit';
import { SourceRefusedError } from '../../pipelines/errors.ts';
import { downloadPlace } from '../../pipelines/flights/download-place.ts';
import { download } from '../../pipelines/flights/download.ts';
import type { ExtractMonthDeps } from '../../pipelines/flights/extract-month.ts';
import type { HttpGet } from '../../pipelines/http-get.ts';
import { isMissing } from '../../warehouse/ground/files.ts';
import { fileSha256 } from '../../warehouse/ground/hashes.ts';
import { withLock } from '../processes/lock.ts';

/**
 * Number of downloads at a time. BTS sends one file at a few MB/s, so two downloads use the whole line. More downloads
 * would slow each other down and burden the server.
 */
const DOWNLOADS_AT_ONCE = 2;
/** Maximum wait for the lock of a download, longer than a download may take. */
const LOCK_PATIENCE_MS = 35 * 60_000;

/**
 * Returns the folder of downloads. A download that is stored there can resume after an interruption, is fetched again
 * only after a change, and can be extracted again.
 */
export function downloadsDir(dataDir: string): string {
  return path.join(dataDir, 'downloads');
}

export type MonthFilesConfig = { dataDir: string; offline: boolean };

/**
 * Returns the functions that get files of months: by downloading them into the data folder, or by listing a local
 * folder.
 */
export function createMonthFiles(
  { dataDir, offline }: MonthFilesConfig,
  get: HttpGet,
): Pick<ExtractMonthDeps, 'fetchFile' | 'listFolder' | 'sha256'> {
  const folder = downloadsDir(dataDir);
  const gate = pLimit(DOWNLOADS_AT_ONCE);
  return {
    fetchFile: async ({ url, name, force }, progress) => {
      if (offline) throw new SourceRefusedError(url, 'not fetched, because OFFLINE=1 is set');
      await mkdir(folder, { recursive: true });
      const deps = { get, place: downloadPlace(folder, name) };
      // A job may run twice if its worker was assumed dead; the lock stops both runs from writing the same file.
      const lockedDownload = () =>
        withLock(path.join(folder, `${name}.lock`), LOCK_PATIENCE_MS, () =>
          download({ url, force }, deps, progress),
        );
      return gate(lockedDownload);
    },
    listFolder,
    sha256: fileSha256,
  };
}

/** Lists the names in a folder of flight files. A missing folder is a final error, because no retry creates it. */
export async function listFolder(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (cause) {
    throw isMissing(cause) ? new SourceRefusedError(folder, 'does not exist', { cause }) : cause;
  }
}
