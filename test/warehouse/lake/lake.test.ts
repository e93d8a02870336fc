import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { mkdir, readdir, readFile, symlink, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { damagedFiles, readBackup } from '../../../warehouse/lake/backup-files.ts';
import { writeBackup } from '../../../warehouse/lake/backup.ts';
import {
  partsToRestore,
  restorePart,
  listReplacedFolders,
} from '../../../warehouse/lake/restore-backup.ts';
import {
  isIntact,
  lakeFilePath,
  monthDir,
  readManifest,
  readManifests,
  readValidManifest,
} from '../../../warehouse/lake/lake.ts';
import { sealJson } from '../../../warehouse/lake/sealed.ts';
import { CorruptFileError } from '../../../warehouse/errors.ts';
import { aFolder } from '../../helpers/flight-files.ts';
import { aManifest, backupFolders, writeMonth } from './helpers/lake.ts';

test('a month has a folder by year and month', (t) => {
  t.is(monthDir('/lake', '2018-07'), '/lake/flights/year=2018/month=07');
  t.is(
    lakeFilePath('/lake', '2018-07', { name: 'a.parquet', rows: 0, bytes: 0, sha256: '' }),
    '/lake/flights/year=2018/month=07/a.parquet',
  );
});

test('a month without a manifest is not in the lake, even if its folder has files', async (t) => {
  const lakeDir = await aFolder(t);
  await mkdir(monthDir(lakeDir, '2018-07'), { recursive: true });
  await writeFile(path.join(monthDir(lakeDir, '2018-07'), 'abc.flights.parquet'), 'x');

  t.is(await readManifest(lakeDir, '2018-07'), undefined);
  t.is(await readManifest(lakeDir, '2018-08'), undefined);
  t.deepEqual(await readManifests(lakeDir), []);
});

test('manifests are sorted by month, and other entries are skipped', async (t) => {
  const lakeDir = await aFolder(t);
  await writeMonth(lakeDir, aManifest('2018-02'));
  await writeMonth(lakeDir, aManifest('2017-11'));
  await writeMonth(lakeDir, aManifest('2018-01'));
  await writeFile(path.join(lakeDir, 'flights', 'undated-abc.parquet'), 'x');

  t.deepEqual(await readManifests(lakeDir), [
    aManifest('2017-11'),
    aManifest('2018-01'),
    aManifest('2018-02'),
  ]);
});

test('a missing lake has no months', async (t) => {
  t.deepEqual(await readManifests(path.join(await aFolder(t), 'none')), []);
});

test('a month is intact if all of its files are unchanged', async (t) => {
  const lakeDir = await aFolder(t);
  const manifest = aManifest('2018-07');
  await writeMonth(lakeDir, manifest);
  const file = lakeFilePath(lakeDir, '2018-07', manifest.files.routeHours);

  t.true(await isIntact(lakeDir, manifest));
  await writeFile(file, 'xxxy');
  t.false(await isIntact(lakeDir, manifest));
});

test('a changed manifest is an error; readValidManifest returns undefined', async (t) => {
  const lakeDir = await aFolder(t);
  await writeMonth(lakeDir, aManifest('2018-07'));
  const file = path.join(monthDir(lakeDir, '2018-07'), 'manifest.json');
  await writeFile(file, sealJson(aManifest('2018-07')).replace('"loaded": 2', '"loaded": 3'));

  await t.throwsAsync(readManifest(lakeDir, '2018-07'), { instanceOf: CorruptFileError });
  t.is(await readValidManifest(lakeDir, '2018-07'), undefined);
});

test('a failed backup leaves no folder, and removes leftovers of killed backups after an hour', async (t) => {
  const { from, to } = await backupFolders(t);
  const old = '.headwind-20260101T020000000Z.partial';
  const remaining = ['.headwind-20260101T030000000Z.partial', 'headwind-of-mine'];
  for (const name of [old, ...remaining]) {
    await mkdir(path.join(to, name, 'lake'), { recursive: true });
  }
  const at = Date.now() / 1000 - 3_700;
  for (const name of [old, 'headwind-of-mine']) await utimes(path.join(to, name), at, at);

  const unreadable = { ...from, models: 'no\0folder' };
  const request = { from: unreadable, to, codeVersion: 'test', now: new Date() };
  await t.throwsAsync(writeBackup(request), { code: 'ERR_INVALID_ARG_VALUE' });
  t.deepEqual((await readdir(to)).toSorted(), remaining);
});

test('a model that is released during a backup is in the backup if its pointer names the model', async (t) => {
  const { from, to } = await backupFolders(t);
  const release = (version: string, bytes: number) => {
    mkdirSync(path.join(from.models, version), { recursive: true });
    writeFileSync(path.join(from.models, version, 'model.onnx'), Buffer.alloc(bytes));
    writeFileSync(path.join(from.models, 'current'), version);
  };
  release('b', 16_000_000);
  const request = { from, to, codeVersion: 'test', now: new Date(0) };
  const backup = writeBackup(request);
  // Waits until the large file is being copied; the pointer is copied after it.
  const copy = path.join(to, '.headwind-19700101T000000000Z.partial', 'models', 'b', 'model.onnx');
  const whole = path.join(to, 'headwind-19700101T000000000Z');
  while (!existsSync(copy) && !existsSync(whole)) await setImmediate();
  release('a', 1);
  const { folder } = await backup;
  const named = await readFile(path.join(folder, 'models', 'current'), 'utf8');
  t.true(existsSync(path.join(folder, 'models', named, 'model.onnx')), named);
  t.deepEqual(await damagedFiles(folder, await readBackup(folder)), []);
});

/** Mounts a folder; needs root. */
async function mountFolder(t: ExecutionContext, kind: 'tmpfs' | 'bind'): Promise<string> {
  const [folder, disk] = [await aFolder(t), await aFolder(t)];
  const source = kind === 'tmpfs' ? ['-t', 'tmpfs', 'tmpfs'] : ['--bind', disk];
  const mount = spawnSync('mount', [...source, folder]);
  t.is(mount.status, 0, mount.stderr.toString());
  t.teardown(() => void spawnSync('umount', ['-l', folder]));
  return folder;
}

/** A backup of a lake with July 2018. */
async function aBackup(t: ExecutionContext) {
  const { from, to } = await backupFolders(t);
  await writeMonth(from.lake, aManifest('2018-07'));
  const request = { from, to, codeVersion: 'test', now: new Date(0) };
  const { folder } = await writeBackup(request);
  return { request, folder, manifest: await readBackup(folder) };
}

async function monthsOf(lakeDir: string): Promise<string[]> {
  return (await readManifests(lakeDir)).map(({ month }) => month);
}

/** Lists the parts whose restore was interrupted. A restore completes these parts even without a request to replace. */
const interruptedParts = (lake: string) => partsToRestore({ lake, models: '/nowhere' }, false);

test('a restore without a request to replace completes only interrupted parts', async (t) => {
  const [lake, models] = [await aFolder(t), await aFolder(t)];
  await mkdir(path.join(models, '.restoring'));
  t.deepEqual(await partsToRestore({ lake, models }, false), ['models']);
  t.deepEqual(await partsToRestore({ lake, models }, true), ['models', 'lake']);
});

test('a restore to a symbolic link writes to its target, even if the target does not exist yet', async (t) => {
  const { folder, manifest } = await aBackup(t);
  const disk = await aFolder(t);
  const link = path.join(await aFolder(t), 'lake');
  await symlink(path.join(disk, 'lake'), link);
  await restorePart(folder, manifest, 'lake', { place: link, now: new Date(8) });
  t.deepEqual(await monthsOf(path.join(disk, 'lake')), ['2018-07']);
});

const isRoot = process.getuid?.() === 0;

for (const kind of ['folder', 'tmpfs', 'bind'] as const) {
  const testHere = isRoot || kind === 'folder' ? test : test.skip;

  testHere(`a restore that fails during the copy leaves a ${kind} unchanged`, async (t) => {
    const { folder, manifest } = await aBackup(t);
    const parent = await aFolder(t);
    const place = kind === 'folder' ? path.join(parent, 'lake') : await mountFolder(t, kind);
    await writeMonth(place, aManifest('2019-01'));
    const missingFile = { path: 'lake/gone', bytes: 1, sha256: '', mtimeMs: 0 };
    const torn = { ...manifest, files: [...manifest.files, missingFile] };
    const where = { place, now: new Date(5) };
    await t.throwsAsync(restorePart(folder, torn, 'lake', where), { code: 'ENOENT' });
    t.deepEqual(await monthsOf(place), ['2019-01']);
    t.deepEqual(await readdir(place), ['flights']);
    t.deepEqual(await readdir(parent), kind === 'folder' ? ['lake'] : []);

    // A killed restore leaves its new folder behind.
    await mkdir(kind === 'folder' ? `${place}.coming` : path.join(place, '.coming'));
    t.deepEqual(await interruptedParts(place), []);
    await restorePart(folder, manifest, 'lake', where);
    t.deepEqual(await monthsOf(place), ['2018-07']);
  });
}

const [FIRST, SECOND] = [new Date('2026-11-01'), new Date('2026-11-02')] as const;

for (const kind of ['tmpfs', 'bind'] as const) {
  (isRoot ? test : test.skip)(
    `a lake on a ${kind} mount can be restored twice, and the replaced contents are kept`,
    async (t) => {
      const place = await mountFolder(t, kind);
      const { request, folder, manifest } = await aBackup(t);
      await mkdir(path.join(place, 'lost+found'));
      await writeMonth(place, aManifest('2019-01'));
      const first = await restorePart(folder, manifest, 'lake', { place, now: FIRST });
      t.is(first.formerFolder, path.join(place, `.before-${FIRST.getTime()}`));
      t.deepEqual(await monthsOf(place), ['2018-07']);
      t.deepEqual(await monthsOf(first.formerFolder ?? ''), ['2019-01']);

      // An interrupted restore stays marked, even after a further failed copy, until a restore completes it.
      await mkdir(path.join(place, '.restoring'));
      const none = { ...manifest, files: [{ ...manifest.files[0]!, path: 'lake/gone' }] };
      const where = { place, now: SECOND };
      await t.throwsAsync(restorePart(folder, none, 'lake', where), { code: 'ENOENT' });
      t.deepEqual(await interruptedParts(place), ['lake']);
      await restorePart(folder, manifest, 'lake', where);
      t.deepEqual(await interruptedParts(place), []);
      const aside = [FIRST, SECOND].map((at) => `.before-${at.getTime()}`);
      const names = [...aside, 'flights', 'lost+found'];
      t.deepEqual((await readdir(place)).toSorted(), names);
      t.deepEqual(
        (await listReplacedFolders(place)).map(({ folder: one }) => path.basename(one)),
        aside,
      );
      // Replaced contents and folders of the file system are not backed up.
      const from = { ...request.from, lake: place };
      const again = await writeBackup({ ...request, from, now: new Date() });
      t.is(again.files, manifest.files.length);
    },
  );
}
