import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import test from 'ava';
import { readDiskSpace } from '../../../jobs/processes/disk-space.ts';
import { backupPlaces, findBackupShortage } from '../../../jobs/wiring/backup-space.ts';
import { createDiskWatch } from '../../../jobs/wiring/disk-needs.ts';
import { writeBackup } from '../../../warehouse/lake/backup.ts';
import { dataPaths } from '../../../warehouse/paths.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { measureBackup } from '../../../warehouse/lake/backup-copy.ts';

const BYTES = 1_000_000;

test('a backup needs space only for files that the last backup lacks', async (t) => {
  const dataDir = await tempDir(t);
  const from = backupPlaces(dataPaths(dataDir));
  for (const file of [join(from.lake, 'runs', 'a'), join(from.models, 'b')]) {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, Buffer.alloc(BYTES));
  }
  const to = join(await tempDir(t), 'not', 'yet');
  t.is(await measureBackup(to, from), 2 * BYTES);
  const { copied } = await writeBackup({ to, from, codeVersion: 'test', now: new Date() });
  t.is(copied, 2 * BYTES);
  t.is(await measureBackup(to, from), BYTES, 'files of the lake become links');

  const place = { dataDir, minFreeBytes: 0 };
  t.is(await findBackupShortage(to, place), undefined);
  const { freeBytes = 0 } = (await readDiskSpace(dataDir)) ?? {};
  const full = { dataDir, minFreeBytes: freeBytes + BYTES };
  t.regex((await findBackupShortage(to, full)) ?? '', /required \(MIN_FREE_MB\)/);
  const disk = createDiskWatch({ ...full, backupTo: to });
  t.regex((await disk.findShortage({ name: 'backup', data: {} })) ?? '', /MIN_FREE_MB/);
});
