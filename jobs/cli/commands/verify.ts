import path from 'node:path';
import { verifyModels } from '../../../pipelines/model/model-folder.ts';
import { verifyFiles, type VerifyResult } from '../../../warehouse/lake/verify.ts';
import { liveArchiveDir, verifyLiveArchive } from '../../../warehouse/live/live-archive.ts';
import {
  readSigningKeysCopy,
  SIGNING_KEYS_REMEDY,
  signingKeysFile,
  type SigningKey,
} from '../../../warehouse/live/signing-keys.ts';
import { CorruptFileError } from '../../../warehouse/errors.ts';
import { dataPaths } from '../../../warehouse/paths.ts';
import { verifySnapshots } from '../../../warehouse/snapshots/snapshots.ts';
import { downloadsDir } from '../../wiring/month-steps.ts';
import type { CommandContext } from '../context.ts';
import { fetchWholeLake } from '../lake-refresh.ts';
import { count, size, table } from '../tables.ts';

/** For each kind of file, the fix for damaged files. */
export const REMEDY: Record<VerifyResult['what'], string> = {
  flights:
    'load the source again (make ingest FILE=), or make restore MONTH=, with PROVIDER= for another provider',
  levels: 'load the table again (make ingest FILE=), or make restore MONTH= LEVELS=1',
  weather: 'make backfill-weather FROM= TO= FORCE=1',
  versions:
    'not repairable: these former versions cannot be restored; the current months are intact',
  forecasts:
    'restore the lake from a backup (make restore-backup); frozen forecasts cannot be made again',
  downloads: 'make backfill FROM= TO= FORCE=1, or delete the files',
  store:
    'make publish, or make rollback; answers of a damaged former version cannot be computed again',
  live: 'delete the files; they are written again when the same live data return, and until then answers that used them cannot be computed again',
  snapshots:
    'delete the folder of the snapshot, then make snapshot; former months cannot be written again',
  keys: SIGNING_KEYS_REMEDY,
  models:
    'train a new model (make train) or use another one (make model-rollback); a damaged card may be deleted, as it is only shown',
};

/** Compares every stored file with its checksum and prints the damaged files. Returns 1 if a file is damaged. */
export async function verify(
  { config, out }: Pick<CommandContext, 'config' | 'out'>,
  { json }: { json: boolean },
): Promise<number> {
  await fetchWholeLake({ config });
  const results = await verifyData(config.dataDir);
  out.write(json ? `${JSON.stringify(results, null, 2)}\n` : verifiedText(results));
  return results.some(({ damaged }) => damaged.length > 0) ? 1 : 0;
}

/**
 * Compares every stored file of a data folder with its checksum. If this machine has a copy of the signing keys, also
 * compares snapshots with their signatures.
 */
export async function verifyData(dataDir: string): Promise<VerifyResult[]> {
  const { lakeDir, storeDir, modelsDir } = dataPaths(dataDir);
  const files = await verifyFiles({ lakeDir, storeDir, downloadsDir: downloadsDir(dataDir) });
  const live = { what: 'live' as const, ...(await verifyLiveArchive(liveArchiveDir(dataDir))) };
  const { keys, results } = await readKeys(signingKeysFile(dataDir));
  const snapshots = { what: 'snapshots' as const, ...(await verifySnapshots(dataDir, keys)) };
  return [...files, live, snapshots, ...results, await verifyModels(modelsDir)];
}

/**
 * Reads the copy of the signing keys. If the copy is damaged, the verification continues and reports the damage as a
 * result.
 */
async function readKeys(
  file: string,
): Promise<{ keys?: SigningKey[] | undefined; results: VerifyResult[] }> {
  try {
    return { keys: await readSigningKeysCopy(file), results: [] };
  } catch (error) {
    if (!(error instanceof CorruptFileError)) throw error;
    return { results: [{ what: 'keys', checked: 1, bytes: 0, damaged: [path.basename(file)] }] };
  }
}

function verifiedText(results: VerifyResult[]): string {
  const rows = results.map(({ what, checked, bytes, damaged }) => [
    what,
    count(checked),
    size(bytes),
    count(damaged.length),
  ]);
  const lines = results
    .filter(({ damaged }) => damaged.length > 0)
    .flatMap(({ what, damaged }) => [
      ...damaged.map((name) => `${what}: ${name} is damaged`),
      `  fix: ${REMEDY[what]}`,
    ]);
  return `${[table(['kind', 'checked', 'size', 'damaged'], rows), ...lines].join('\n')}\n`;
}
