import { existsSync, statSync } from 'node:fs';
import { readFile, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { writeBackup } from '../../../warehouse/lake/backup.ts';
import { backupTime, damagedFiles, readBackup } from '../../../warehouse/lake/backup-files.ts';
import { lakeFilePath, monthDir } from '../../../warehouse/lake/lake.ts';
import { verifyFiles } from '../../../warehouse/lake/verify.ts';
import { aManifest, backupFolders, writeMonth } from './helpers/lake.ts';

const MONTHS = ['2018-07', '2018-08', '2018-09'];
const DAMAGED = path.join('flights', 'year=2018', 'month=08');

/** A lake with three months, and a function that backs it up on a day of January 2026. */
async function aLake(t: ExecutionContext) {
  const { from, to } = await backupFolders(t);
  for (const month of MONTHS) await writeMonth(from.lake, aManifest(month));
  const backUp = (day: number) =>
    writeBackup({ from, to, codeVersion: 'test', now: new Date(Date.UTC(2026, 0, day)) });
  const file = lakeFilePath(from.lake, '2018-08', aManifest('2018-08').files.routeHours);
  const damage = async () => {
    await writeFile(file, 'yyyy');
    await utimes(file, 9, 9);
  };
  return { from, backUp, file, damage };
}

test('the time of a backup is in its name', (t) => {
  const at = Date.parse('2026-11-22T07:57:15.123Z');
  t.is(backupTime('/backups/headwind-20261122T075715123Z'), at);
});

test('a month that is damaged in the lake stays good in the backup, and all other files stay links', async (t) => {
  const { from, backUp, damage } = await aLake(t);
  const first = await backUp(1);
  await damage();
  const second = await backUp(2);
  t.deepEqual(second.damaged, [{ folder: DAMAGED, instead: path.basename(first.folder) }]);
  t.is(second.copied, 0);
  t.is(second.files, first.files);
  const manifest = await readBackup(second.folder);
  t.deepEqual(manifest.damaged, second.damaged);
  t.deepEqual(await damagedFiles(second.folder, manifest), []);
  const lakeDir = path.join(second.folder, 'lake');
  const nowhere = path.join(second.folder, 'none');
  const results = await verifyFiles({ lakeDir, storeDir: nowhere, downloadsDir: nowhere });
  t.deepEqual(
    results.flatMap(({ damaged }) => damaged),
    [],
  );
  const inode = (folder: string) => statSync(path.join(folder, 'manifest.json')).ino;
  const [inFirst, inSecond] = [first, second].map(({ folder }) =>
    path.join(folder, 'lake', DAMAGED),
  );
  t.is(inode(inFirst ?? ''), inode(inSecond ?? ''));
  // The third backup takes the good copy from the second backup. After a repair, the fourth backup takes the month from
  // the lake.
  t.deepEqual((await backUp(3)).damaged, [
    { folder: DAMAGED, instead: path.basename(second.folder) },
  ]);
  await writeMonth(from.lake, aManifest('2018-08'));
  t.deepEqual((await backUp(4)).damaged, []);
});

test('a damaged month without a good copy in any backup is left out, and the other months are copied', async (t) => {
  const { from, backUp } = await aLake(t);
  await writeFile(path.join(monthDir(from.lake, '2018-08'), 'manifest.json'), '{}');
  const { folder, damaged } = await backUp(1);
  t.deepEqual(damaged, [{ folder: DAMAGED }]);
  t.false(existsSync(path.join(folder, 'lake', DAMAGED)));
  t.true(existsSync(monthDir(path.join(folder, 'lake'), '2018-09')));
});

test('a damaged file in the last backup is copied again from the lake', async (t) => {
  const { backUp, file } = await aLake(t);
  const first = await backUp(1);
  const copy = path.join(first.folder, 'lake', DAMAGED, path.basename(file));
  const { atime, mtime } = statSync(copy);
  await writeFile(copy, 'zzzz');
  await utimes(copy, atime, mtime);
  const second = await backUp(2);
  t.deepEqual(second.damaged, []);
  const again = path.join(second.folder, 'lake', DAMAGED, path.basename(file));
  t.is(await readFile(again, 'utf8'), await readFile(file, 'utf8'));
});
