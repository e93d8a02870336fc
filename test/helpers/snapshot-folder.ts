import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { writeSnapshotFiles, type SnapshotForecast } from '../../warehouse/build/snapshot-files.ts';
import { fileSha256 } from '../../warehouse/ground/hashes.ts';
import { statIfExists } from '../../warehouse/ground/files.ts';
import { snapshotsDir, type SnapshotManifest } from '../../warehouse/snapshots/snapshots.ts';

const forecast = (airline: string, changes: Partial<SnapshotForecast>): SnapshotForecast => ({
  ...{ month: '2026-12', provider: 'bts', airline, origin: 'JFK', destination: 'LAX' },
  ...{ dep_hour: 8, score: 30, late_probability: 0.12, disrupted_probability: 0.15 },
  ...{ confidence: 0.9, record_flights: 100, sold_by: airline, sold_by_inferred: 0, ...changes },
});

/** Three forecasts. Some programs take `NA` for a missing value, and `9E` for a number. The last one has no hour. */
export const FORECASTS: SnapshotForecast[] = [
  forecast('9E', { score: 41.5 }),
  forecast('NA', { origin: 'WDH', destination: 'JFK' }),
  {
    ...{ month: '2026-12', provider: 'bts', airline: 'DL', origin: 'JFK', destination: 'BOS' },
    ...{ score: 12.25, confidence: 0.4, record_flights: 12, sold_by: 'DL', sold_by_inferred: 0 },
  },
];

/** Writes a snapshot into a data folder, as the job does, but without a real signature. Returns the manifest. */
export async function aSnapshotFolder(
  dataDir: string,
  changes: Partial<SnapshotManifest> = {},
): Promise<SnapshotManifest & { folder: string }> {
  const { version = '2026-12-20261101T023000Z-0123456789ab' } = changes;
  const folder = path.join(snapshotsDir(dataDir), version);
  await mkdir(folder, { recursive: true });
  const names = ['forecasts.parquet', 'forecasts.csv'] as const;
  const [parquet = '', csv = ''] = names.map((name) => path.join(folder, name));
  const columns = await writeSnapshotFiles({ parquet, csv }, FORECASTS);
  const files = await Promise.all(
    names.map(async (name) => {
      const file = path.join(folder, name);
      const bytes = (await statIfExists(file))?.size ?? 0;
      return { name, bytes, sha256: await fileSha256(file) };
    }),
  );
  const manifest: SnapshotManifest = {
    ...{ version, month: '2026-12', createdAt: '2026-11-02T06:00:00.000Z', columns, files },
    ...{ storeVersion: '20261101T023000Z-0123456789ab', modelVersion: null },
    rows: FORECASTS.length,
    providers: [
      { name: 'bts', title: 'BTS', attribution: 'The bureau', terms: 'In the public domain.' },
    ],
    leftOut: [{ name: 'caa', title: 'CAA', attribution: 'The authority', terms: 'Not sold on.' }],
    ...changes,
  };
  await writeFile(path.join(folder, 'manifest.jws'), 'header..signature');
  await writeFile(path.join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  return { ...manifest, folder };
}
