import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ExecutionContext } from 'ava';
import { sha256 } from '../../../../warehouse/ground/hashes.ts';
import { filesOf, monthDir, type MonthManifest } from '../../../../warehouse/lake/lake.ts';
import { sealJson } from '../../../../warehouse/lake/sealed.ts';
import { aFolder } from '../../../helpers/flight-files.ts';

/** The manifest of a month with two flights and a file of route hours. */
export function aManifest(month: string): MonthManifest {
  return {
    month,
    source: { name: 'a.csv', sha256: 'abc', bytes: 10, form: 'bts_short' },
    rows: { read: 3, loaded: 2, rejected: 1 },
    rejects: { invalid_dest: 1 },
    delayBasis: 'arrival',
    files: {
      flights: { name: 'abc.flights.parquet', rows: 2, bytes: 5, sha256: sha256('xxxxx') },
      routeHours: { name: 'abc.route_hours.parquet', rows: 1, bytes: 4, sha256: sha256('xxxx') },
    },
    sourceRows: 3,
    codeVersion: 'test',
    extractedAt: '2026-11-01T02:30:00.000Z',
  };
}

/** Writes the month of a manifest into a lake. */
export async function writeMonth(lakeDir: string, manifest: MonthManifest) {
  const folder = monthDir(lakeDir, manifest.month);
  await mkdir(folder, { recursive: true });
  for (const { name, bytes } of filesOf(manifest)) {
    await writeFile(path.join(folder, name), 'x'.repeat(bytes));
  }
  await writeFile(path.join(folder, 'manifest.json'), sealJson(manifest));
}

/** The paths of an empty data folder, and a folder for its backups. */
export async function backupFolders(t: ExecutionContext) {
  const folder = await aFolder(t);
  const place = (name: string) => path.join(folder, name);
  const from = { lake: place('lake'), models: place('models'), archive: place('archive') };
  return { from, to: place('backups') };
}
