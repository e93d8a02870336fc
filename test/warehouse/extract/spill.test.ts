import { spawnSync } from 'node:child_process';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'ava';
import { aFolder, NOW } from '../../helpers/flight-files.ts';
import { createSpillPath } from '../../../warehouse/extract/extract.ts';

const now = () => NOW;

test('creating a path in the spill folder first removes the files of dead processes', async (t) => {
  const lakeDir = await aFolder(t);
  const spillPath = await createSpillPath(lakeDir, now);
  const deadPid = spawnSync(process.execPath, ['--version']).pid;
  await writeFile(spillPath, 'x');
  await mkdir(spillPath.replace(`-${process.pid}-`, `-${deadPid}-`));
  await createSpillPath(lakeDir, now);

  t.deepEqual(await readdir(path.join(lakeDir, 'spill')), [path.basename(spillPath)]);
});
