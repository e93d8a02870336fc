import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { readBackup } from '../../../../warehouse/lake/backup-files.ts';
import { writeBackup } from '../../../../warehouse/lake/backup.ts';
import { appendNight } from '../../../../warehouse/lake/forecasts/append-night.ts';
import { readHead } from '../../../../warehouse/lake/forecasts/nights.ts';
import { verifyNights } from '../../../../warehouse/lake/forecasts/verify-nights.ts';
import { restorePart } from '../../../../warehouse/lake/restore-backup.ts';
import { folderLake } from '../../../../warehouse/lake/shared/lake-home.ts';
import { aManifest, backupFolders, writeMonth } from '../helpers/lake.ts';

const append = (lakeDir: string, night: string) =>
  appendNight({
    ...{ lakeDir, home: folderLake((_, work) => work()), night },
    freeze: async (file) => {
      await writeFile(file, `forecasts of ${night}`);
      const frozenAt = `${night}T03:20:00.000Z`;
      return { rows: 1, frozenAt, storeVersion: 'store', codeVersion: 'code' };
    },
  });

test('a backup has the whole chain, even if a night is linked while files are copied', async (t) => {
  const { from, to } = await backupFolders(t);
  await writeMonth(from.lake, aManifest('2018-07'));
  await append(from.lake, '2026-11-01');
  // A large file that is copied before the forecasts.
  await writeFile(path.join(from.lake, 'flights', 'large'), Buffer.alloc(100_000_000));
  const backup = writeBackup({ from, to, codeVersion: 'test', now: new Date('2026-11-02') });
  const isCopying = async () => {
    const names = await readdir(to, { recursive: true }).catch(() => []);
    return names.some((name) => name.endsWith('large'));
  };
  while (!(await isCopying())) await sleep(1);
  await append(from.lake, '2026-11-02');
  const { folder, damaged } = await backup;
  t.deepEqual(damaged, []);
  t.like(await verifyNights(path.join(folder, 'lake')), { checked: 2, damaged: [] });
  await append(from.lake, '2026-11-03');
  await restorePart(folder, await readBackup(folder), 'lake', {
    place: from.lake,
    now: new Date(),
  });
  t.like(await verifyNights(from.lake), { checked: 2, damaged: [] });
  t.is((await append(from.lake, '2026-11-03')).nights, 3, 'the chain goes on after a restore');
  t.is((await readHead(from.lake)).nights.length, 3);
});
