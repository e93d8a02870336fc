import { spawnSync } from 'node:child_process';
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'ava';
import { createSpillPath } from '../../../warehouse/extract/spill.ts';
import { aFolder, NOW } from '../../helpers/flight-files.ts';

const now = () => NOW;

test('leftovers of a dead process of this machine are removed at once, files of a live process stay', async (t) => {
  const lakeDir = await aFolder(t);
  const spillPath = await createSpillPath(lakeDir, now);
  const deadPid = spawnSync(process.execPath, ['--version']).pid;
  await writeFile(spillPath, 'x');
  await writeFile(spillPath.replace(`-${process.pid}-`, `-${deadPid}-`), 'x');
  await mkdir(`${spillPath.replace(`-${process.pid}-`, `-${deadPid}-`)}-folder`);
  await createSpillPath(lakeDir, now);

  t.deepEqual(await readdir(path.join(lakeDir, 'spill')), [path.basename(spillPath)]);
});

test('leftovers of other machines are removed after a day', async (t) => {
  const lakeDir = await aFolder(t);
  const folder = path.dirname(await createSpillPath(lakeDir, now));
  const leftovers = [
    ['0123456789ab-1-old', new Date('2026-10-31T02:29:59Z')],
    ['0123456789ab-1-new', new Date('2026-10-31T02:30:01Z')],
    ['unnamed-old', new Date('2026-10-31T02:29:59Z')],
  ] as const;
  for (const [name, time] of leftovers) {
    await writeFile(path.join(folder, name), 'x');
    await utimes(path.join(folder, name), time, time);
  }
  await createSpillPath(lakeDir, now);

  t.deepEqual(await readdir(folder), ['0123456789ab-1-new']);
});
