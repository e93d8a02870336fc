import { appendFile, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'ava';
import {
  listSnapshots,
  snapshotsDir,
  verifySnapshots,
} from '../../../warehouse/snapshots/snapshots.ts';
import { aSnapshotFolder } from '../../helpers/snapshot-folder.ts';
import { tempDir } from '../../jobs/helpers/temp-dir.ts';

const NAMES = ['forecasts.parquet', 'forecasts.csv', 'manifest.json', 'manifest.jws'];

test('snapshots are listed newest first; temporary folders and folders without a manifest are not', async (t) => {
  const dataDir = await tempDir(t);
  t.deepEqual(await listSnapshots(dataDir), [], 'before the first snapshot');
  await aSnapshotFolder(dataDir, { version: '2026-11-a', month: '2026-11' });
  await aSnapshotFolder(dataDir, { version: '2026-12-a', month: '2026-12' });
  await aSnapshotFolder(dataDir, { version: '2026-12-b', createdAt: '2026-11-09T06:00:00.000Z' });
  await mkdir(path.join(snapshotsDir(dataDir), '2026-12-c'));
  await mkdir(path.join(snapshotsDir(dataDir), '.tmp-1'));
  const listed = await listSnapshots(dataDir);
  t.deepEqual(
    listed.map(({ manifest }) => manifest.version),
    ['2026-12-b', '2026-12-a', '2026-11-a'],
  );
  t.deepEqual(
    listed[0]?.files.map(({ name }) => name),
    NAMES,
  );
});

test('a file of another size is not offered, and every damaged file is named', async (t) => {
  const dataDir = await tempDir(t);
  const { folder } = await aSnapshotFolder(dataDir, { version: '2026-12-a' });
  t.like(await verifySnapshots(dataDir), { checked: 1, damaged: [] });
  await appendFile(path.join(folder, 'forecasts.csv'), 'more');
  const [snapshot] = await listSnapshots(dataDir);
  t.deepEqual(snapshot?.damaged, ['forecasts.csv']);
  t.deepEqual(
    snapshot?.files.map(({ name }) => name),
    NAMES.filter((name) => name !== 'forecasts.csv'),
  );
  await rm(path.join(folder, 'manifest.jws'));
  const other = await aSnapshotFolder(dataDir, { version: '2026-12-b' });
  await writeFile(
    path.join(other.folder, 'forecasts.parquet'),
    Buffer.alloc(other.files[0]?.bytes ?? 0),
  );
  const broken = await aSnapshotFolder(dataDir, { version: '2026-12-c' });
  await writeFile(path.join(broken.folder, 'manifest.json'), '{');
  const cut = await aSnapshotFolder(dataDir, { version: '2026-12-d' });
  const { files: _, ...rest } = cut;
  await writeFile(path.join(cut.folder, 'manifest.json'), JSON.stringify(rest));
  const { checked, damaged } = await verifySnapshots(dataDir);
  t.is(checked, 4);
  t.deepEqual(damaged.toSorted(), [
    '2026-12-a/forecasts.csv',
    '2026-12-a/manifest.jws',
    '2026-12-b/forecasts.parquet',
    '2026-12-c/manifest.json',
    '2026-12-d/manifest.json',
  ]);
  t.is((await listSnapshots(dataDir)).length, 2);
});
