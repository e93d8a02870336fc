import { spawnSync } from 'node:child_process';
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'ava';
import {
  removeLeftovers,
  sweepLeftovers,
  temporaryPath,
  withTemporary,
} from '../../../warehouse/ground/temporary.ts';
import { aFolder, NOW } from '../../helpers/flight-files.ts';

const deadPid = spawnSync(process.execPath, ['--version']).pid;

/** Returns a temporary path of a process of this machine that has ended. */
function pathOfDeadProcess(folder: string): string {
  const name = path.basename(temporaryPath(folder));
  return path.join(folder, name.replace(`-${process.pid}-`, `-${deadPid}-`));
}

test('temporary files of a dead process are removed at once, with the files of DuckDB beside them', async (t) => {
  const folder = await aFolder(t);
  const own = temporaryPath(folder);
  const dead = pathOfDeadProcess(folder);
  for (const file of [own, dead, `${dead}.wal`]) await writeFile(file, 'x'.repeat(5_000));
  await mkdir(`${dead}.tmp`);
  const removed = await removeLeftovers(folder, NOW);
  t.deepEqual(await readdir(folder), [path.basename(own)]);
  t.deepEqual(removed.map((file) => file.path).toSorted(), [dead, `${dead}.tmp`, `${dead}.wal`]);
  t.true((removed.find((file) => file.path === dead)?.bytes ?? 0) >= 5_000);
});

test('files of a killed process are removed by the next process with the same id', async (t) => {
  const folder = await aFolder(t);
  const name = path.basename(temporaryPath(folder)).replace(`-${process.pid}-`, () => '-$$-');
  const source = new URL('../../../warehouse/ground/temporary.ts', import.meta.url).href;
  const script = `const { removeLeftovers, temporaryPath } = await import('${source}');
    const { writeFileSync } = await import('node:fs');
    writeFileSync(temporaryPath('.'), 'own');
    console.log((await removeLeftovers('.')).length);`;
  // After `exec`, Node has the process id of the shell. In the same way, ids repeat in a container that is started
  // again.
  const command = `echo half > "${name}"; sleep 0.1; exec "$0" --input-type=module -e "$1"`;
  const options = { cwd: folder, encoding: 'utf8' } as const;
  const { stdout } = spawnSync('sh', ['-c', command, process.execPath, script], options);
  t.is(stdout, '1\n');
  t.is((await readdir(folder)).length, 1);
});

test('temporary files of other machines are removed after a day, and other files stay', async (t) => {
  const folder = await aFolder(t);
  const uuid = '00000000-0000-4000-8000-000000000000';
  const [old, dayOld] = [new Date('2026-11-01T01:29:59Z'), new Date('2026-10-31T02:29:59Z')];
  const files: [string, Date, boolean][] = [
    [`.0123456789ab-1-${uuid}.tmp`, dayOld, false],
    [`.0123456789ab-2-${uuid}.tmp`, old, true],
    [`.${uuid}.tmp`, dayOld, true],
    ['warehouse.duckdb', dayOld, true],
    ['.hidden', dayOld, true],
  ];
  for (const [name, at] of files) {
    await writeFile(path.join(folder, name), 'x');
    await utimes(path.join(folder, name), at, at);
  }
  await removeLeftovers(folder, NOW);
  const remaining = files.filter(([, , stays]) => stays).map(([name]) => name);
  t.deepEqual((await readdir(folder)).toSorted(), remaining.toSorted());
});

test('a sweep also visits subfolders, but not the temporary folders of live processes', async (t) => {
  const folder = await aFolder(t);
  const live = temporaryPath(folder);
  for (const place of [live, path.join(folder, 'lake')]) {
    await mkdir(place);
    await writeFile(pathOfDeadProcess(place), 'x');
  }
  await sweepLeftovers(folder, NOW);
  t.deepEqual(await readdir(path.join(folder, 'lake')), []);
  t.is((await readdir(live)).length, 1);
});

test('a temporary file is removed when its work fails, and stays under its new name when it succeeds', async (t) => {
  const folder = await aFolder(t);
  const failing = withTemporary(folder, async (temporary) => {
    for (const suffix of ['', '.wal']) await writeFile(`${temporary}${suffix}`, 'half');
    await mkdir(`${temporary}.tmp`);
    throw new Error('no space left on device');
  });
  await t.throwsAsync(failing, { message: 'no space left on device' });
  t.deepEqual(await readdir(folder), []);
  t.is(await withTemporary(folder, async () => 'result'), 'result');
});
