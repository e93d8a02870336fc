import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { PublishReport } from '../../../pipelines/types.ts';
import { fileSha256 } from '../../../warehouse/ground/hashes.ts';
import { ledgerFiles, newestRun } from '../../../warehouse/lake/ledger.ts';
import { FORECASTS } from '../../../warehouse/lake/forecasts/nights.ts';
import { listSealedFolders } from '../../../warehouse/lake/sealed-folders.ts';
import type { DataPaths } from '../../../warehouse/paths.ts';
import type { StoreFiles } from '../../../warehouse/store/store-manifest.ts';

type Compared = {
  /** Folders of the running service. */
  paths: Pick<DataPaths, 'lakeDir' | 'runsDir'>;
  scratch: Pick<DataPaths, 'lakeDir'>;
  running: StoreFiles;
  restored: StoreFiles;
  codeVersion: string;
};

/**
 * Returns why the answers of the restored store may differ from the answers of the running store. Returns undefined if
 * both stores come from the same months, code and model. Their answers must then be equal.
 */
export async function isComparable({
  paths,
  scratch,
  running,
  restored,
  codeVersion,
}: Compared): Promise<string | undefined> {
  const current = await monthHashes(paths.lakeDir);
  if (
    JSON.stringify(current.hashes) !== JSON.stringify((await monthHashes(scratch.lakeDir)).hashes)
  ) {
    return 'the lake has changed since the backup';
  }
  const { builtAt, version, model } = running.manifest;
  if (current.changedAt > Date.parse(builtAt)) return 'the lake has changed since the publish';
  if (model?.version !== restored.manifest.model?.version) return 'another model is released';
  const publish = await newestRun(ledgerFiles(paths), ['publish'], 'done');
  const isSameCode =
    publish?.codeVersion === codeVersion &&
    (publish.detail as PublishReport | undefined)?.version === version;
  return isSameCode ? undefined : 'the running store was published by other code';
}

/** Hashes the manifests of all current months. Also returns the time (ms since 1970) when a manifest last changed. */
async function monthHashes(lakeDir: string) {
  const folders = (await listSealedFolders(lakeDir)).filter(
    (name) => !name.startsWith('versions') && !name.startsWith(FORECASTS),
  );
  const hashes: [string, string][] = [];
  let changedAt = 0;
  for (const folder of folders) {
    const manifest = join(lakeDir, folder, 'manifest.json');
    hashes.push([folder, await fileSha256(manifest)]);
    changedAt = Math.max(changedAt, (await stat(manifest)).mtimeMs);
  }
  return { hashes, changedAt };
}
