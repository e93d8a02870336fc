import { verifyModels } from '../../../pipelines/model/kept.ts';
import { verifyFiles, type Verified } from '../../../warehouse/lake/verify.ts';
import { dataPaths } from '../../../warehouse/paths.ts';
import { downloadsDir } from '../../wiring/month-steps.ts';
import type { CommandContext } from '../context.ts';
import { allAtHand } from '../lake-at-hand.ts';
import { count, size, table } from '../tables.ts';

/** What helps against damage of each kind. */
export const REMEDY: Record<Verified['what'], string> = {
  flights: 'make ingest FILE= of its source, or make restore MONTH=',
  levels: 'make ingest FILE= of the table, or make restore MONTH= LEVELS=1',
  weather: 'make backfill-weather FROM= TO= FORCE=1',
  versions: 'nothing: they cannot be restored; the months themselves are not concerned',
  downloads: 'make backfill FROM= TO= FORCE=1, or delete them',
  store: 'make publish, or make rollback',
  models:
    'make train makes a new one, make model-rollback takes another; a card is only shown and may be deleted',
};

/** Reads all that is kept and prints what is not as it was written; 1 when there is any. */
export async function verify(
  { config, out }: Pick<CommandContext, 'config' | 'out'>,
  { json }: { json: boolean },
): Promise<number> {
  await allAtHand({ config });
  const found = await verifyData(config.dataDir);
  out.write(json ? `${JSON.stringify(found, null, 2)}\n` : verifiedText(found));
  return found.some(({ damaged }) => damaged.length > 0) ? 1 : 0;
}

/** Reads all that is kept under a data folder. */
export async function verifyData(dataDir: string): Promise<Verified[]> {
  const { lakeDir, storeDir, modelsDir } = dataPaths(dataDir);
  const files = await verifyFiles({ lakeDir, storeDir, downloadsDir: downloadsDir(dataDir) });
  return [...files, await verifyModels(modelsDir)];
}

function verifiedText(found: Verified[]): string {
  const rows = found.map(({ what, checked, bytes, damaged }) => [
    what,
    count(checked),
    size(bytes),
    count(damaged.length),
  ]);
  const lines = found
    .filter(({ damaged }) => damaged.length > 0)
    .flatMap(({ what, damaged }) => [
      ...damaged.map((name) => `${what}: ${name} is not what was written`),
      `  what helps: ${REMEDY[what]}`,
    ]);
  return `${[table(['kind', 'checked', 'size', 'damaged'], rows), ...lines].join('\n')}\n`;
}
