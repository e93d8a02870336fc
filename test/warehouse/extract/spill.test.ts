import { spawnSync } from 'node:child_process';
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'ava';
import { spillPath } from '../../../warehouse/extract/spill.ts';
import { aFolder, NOW } from '../../helpers/flight-files.ts';

const now = () => NOW;

test('what a killed process of this machine left goes at once, what a living one uses stays', async (t) => {
  const lakeDir = await aFolder(t);
  const mine = await spillPath(lakeDir, now);
  const dead = spawnSync(process.execPath, ['--version']).pid;
  await writeFile(mine, 'x');
  await writeFile(mine.replace(`-${process.pid}-`, `-${dead}-`), 'x');
  await mkdir(`${mine.replace(`-${process.pid}-`, `-${dead}-`)}-folder`);
  await spillPath(lakeDir, now);

  t.deepEqual(await readdir(path.join(lakeDir, 'spill')), [path.basename(mine)]);
});

test('what other machines left goes after a day', async (t) => {
  const lakeDir = await aFolder(t);
  const folder = path.dirname(await spillPath(lakeDir, now));
  const leftovers = [
    ['0123456789ab-1-old', new Date('2026-10-31T02:29:59Z')],
    ['0123456789ab-1-new', new Date('2026-10-31T02:30:01Z')],
    ['unnamed-old', new Date('2026-10-31T02:29:59Z')],
  ] as const;
  for (const [name, time] of leftovers) {
    await writeFile(path.join(folder, name), 'x');
    await utimes(path.join(folder, name), time, time);
  }
  await spillPath(lakeDir, now);

  t.deepEqual(await readdir(folder), ['0123456789ab-1-new']);
});
