import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { mkdir, readdir, readFile, symlink, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { damagedFiles, readBackup } from '../../../warehouse/lake/backup-files.ts';
import { writeBackup } from '../../../warehouse/lake/backup.ts';
import { partsToRestore, restorePart, setAsideOf } from '../../../warehouse/lake/restore-backup.ts';
import {
  filesOf,
  isIntact,
  lakeFilePath,
  monthDir,
  readManifest,
  readManifests,
  soundManifest,
  type MonthManifest,
} from '../../../warehouse/lake/lake.ts';
import { sealed } from '../../../warehouse/lake/sealed.ts';
import { CorruptFileError } from '../../../warehouse/errors.ts';
import { sha256 } from '../../../warehouse/ground/sha256.ts';
import { aFolder } from '../../helpers/flight-files.ts';

function aManifest(month: string): MonthManifest {
  return {
    month,
    source: { name: 'a.csv', sha256: 'abc', bytes: 10, form: 'bts_short' },
    rows: { read: 3, loaded: 2, rejected: 1 },
    rejects: { invalid_dest: 1 },
    delayBasis: 'arrival',
    files: {
      flights: { name: 'abc.flights.parquet', rows: 2, bytes: 5, sha256: sha256('xxxxx') },
      routeHours: { name: 'abc.route_hours.parquet', rows: 1, bytes: 4, sha256: sha256('xxxx') },
    },
    sourceRows: 3,
    codeVersion: 'test',
    extractedAt: '2026-11-01T02:30:00.000Z',
  };
}

async function writeMonth(lakeDir: string, manifest: MonthManifest) {
  const folder = monthDir(lakeDir, manifest.month);
  await mkdir(folder, { recursive: true });
  for (const { name, bytes } of filesOf(manifest)) {
    await writeFile(path.join(folder, name), 'x'.repeat(bytes));
  }
  await writeFile(path.join(folder, 'manifest.json'), sealed(manifest));
}

/** A data folder with nothing in it, and where backups of it go. */
async function backedUp(t: ExecutionContext) {
  const folder = await aFolder(t);
  const place = (name: string) => path.join(folder, name);
  const from = { lake: place('lake'), models: place('models'), archive: place('archive') };
  return { from, to: place('backups') };
}

test('a month has a folder by year and month', (t) => {
  t.is(monthDir('/lake', '2018-07'), '/lake/flights/year=2018/month=07');
  t.is(
    lakeFilePath('/lake', '2018-07', { name: 'a.parquet', rows: 0, bytes: 0, sha256: '' }),
    '/lake/flights/year=2018/month=07/a.parquet',
  );
});

test('a month without a manifest is not in the lake, whatever its folder holds', async (t) => {
  const lakeDir = await aFolder(t);
  await mkdir(monthDir(lakeDir, '2018-07'), { recursive: true });
  await writeFile(path.join(monthDir(lakeDir, '2018-07'), 'abc.flights.parquet'), 'x');

  t.is(await readManifest(lakeDir, '2018-07'), undefined);
  t.is(await readManifest(lakeDir, '2018-08'), undefined);
  t.deepEqual(await readManifests(lakeDir), []);
});

test('manifests come oldest month first, other entries aside', async (t) => {
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

test('a lake that is not there yet holds nothing', async (t) => {
  t.deepEqual(await readManifests(path.join(await aFolder(t), 'none')), []);
});

test('a month is intact when each of its files is as it was written', async (t) => {
  const lakeDir = await aFolder(t);
  const manifest = aManifest('2018-07');
  await writeMonth(lakeDir, manifest);
  const file = lakeFilePath(lakeDir, '2018-07', manifest.files.routeHours);

  t.true(await isIntact(lakeDir, manifest));
  await writeFile(file, 'xxxy');
  t.false(await isIntact(lakeDir, manifest));
});

test('a manifest that was changed is an error, and to a new ingest as good as none', async (t) => {
  const lakeDir = await aFolder(t);
  await writeMonth(lakeDir, aManifest('2018-07'));
  const file = path.join(monthDir(lakeDir, '2018-07'), 'manifest.json');
  await writeFile(file, sealed(aManifest('2018-07')).replace('"loaded": 2', '"loaded": 3'));

  await t.throwsAsync(readManifest(lakeDir, '2018-07'), { instanceOf: CorruptFileError });
  t.is(await soundManifest(lakeDir, '2018-07'), undefined);
});

test('a backup that fails leaves nothing, and takes away what killed ones left an hour ago', async (t) => {
  const { from, to } = await backedUp(t);
  const old = '.headwind-20260101T020000000Z.partial';
  const kept = ['.headwind-20260101T030000000Z.partial', 'headwind-of-mine'];
  for (const name of [old, ...kept]) await mkdir(path.join(to, name, 'lake'), { recursive: true });
  const at = Date.now() / 1000 - 3_700;
  for (const name of [old, 'headwind-of-mine']) await utimes(path.join(to, name), at, at);

  const unreadable = { ...from, models: 'no\0folder' };
  const request = { from: unreadable, to, codeVersion: 'test', now: new Date() };
  await t.throwsAsync(writeBackup(request), { code: 'ERR_INVALID_ARG_VALUE' });
  t.deepEqual((await readdir(to)).toSorted(), kept);
});

test('a month that is damaged in the lake is named by the backup, and holds up nothing else', async (t) => {
  const { from, to } = await backedUp(t);
  for (const month of ['2018-07', '2018-08']) await writeMonth(from.lake, aManifest(month));
  await writeFile(path.join(monthDir(from.lake, '2018-07'), 'manifest.json'), '{}');
  const request = { from, to, codeVersion: 'test', now: new Date() };
  const { folder, damaged } = await writeBackup(request);
  t.regex(damaged.join(), /2018-07/);
  t.true(existsSync(path.join(monthDir(path.join(folder, 'lake'), '2018-08'), 'manifest.json')));
});

test('a model released while models are copied is in the backup that names it', async (t) => {
  const { from, to } = await backedUp(t);
  const release = (version: string, bytes: number) => {
    mkdirSync(path.join(from.models, version), { recursive: true });
    writeFileSync(path.join(from.models, version, 'model.onnx'), Buffer.alloc(bytes));
    writeFileSync(path.join(from.models, 'current'), version);
  };
  release('b', 16_000_000);
  const request = { from, to, codeVersion: 'test', now: new Date(0) };
  const backup = writeBackup(request);
  // In the midst of the large file, before the pointer is copied.
  const copy = path.join(to, '.headwind-19700101T000000000Z.partial', 'models', 'b', 'model.onnx');
  const whole = path.join(to, 'headwind-19700101T000000000Z');
  while (!existsSync(copy) && !existsSync(whole)) await setImmediate();
  release('a', 1);
  const { folder } = await backup;
  const named = await readFile(path.join(folder, 'models', 'current'), 'utf8');
  t.true(existsSync(path.join(folder, 'models', named, 'model.onnx')), named);
  t.deepEqual(await damagedFiles(folder, await readBackup(folder)), []);
});

/** A folder that is a mount of its own, for which one has to be root. */
async function mounted(t: ExecutionContext, kind: 'tmpfs' | 'bind'): Promise<string> {
  const [folder, disk] = [await aFolder(t), await aFolder(t)];
  const what = kind === 'tmpfs' ? ['-t', 'tmpfs', 'tmpfs'] : ['--bind', disk];
  const mount = spawnSync('mount', [...what, folder]);
  t.is(mount.status, 0, mount.stderr.toString());
  t.teardown(() => void spawnSync('umount', ['-l', folder]));
  return folder;
}

/** A backup of a lake with July 2018, and the months of a lake. */
async function aBackup(t: ExecutionContext) {
  const { from, to } = await backedUp(t);
  await writeMonth(from.lake, aManifest('2018-07'));
  const request = { from, to, codeVersion: 'test', now: new Date(0) };
  const { folder } = await writeBackup(request);
  return { request, folder, manifest: await readBackup(folder) };
}

async function monthsOf(lakeDir: string): Promise<string[]> {
  return (await readManifests(lakeDir)).map(({ month }) => month);
}

/** What a restore goes on with unasked, where the lake is that. */
const halfMoved = (lake: string) => partsToRestore({ lake, models: '/nowhere' }, false);

test('a restore that is not asked to replace goes on with what is half moved, and nothing else', async (t) => {
  const [lake, models] = [await aFolder(t), await aFolder(t)];
  await mkdir(path.join(models, '.restoring'));
  t.deepEqual(await partsToRestore({ lake, models }, false), ['models']);
  t.deepEqual(await partsToRestore({ lake, models }, true), ['models', 'lake']);
});

test('what is restored to a link goes where it leads, also to what is not there yet', async (t) => {
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

  testHere(`a restore that ends while it copies leaves a ${kind} as it was`, async (t) => {
    const { folder, manifest } = await aBackup(t);
    const above = await aFolder(t);
    const place = kind === 'folder' ? path.join(above, 'lake') : await mounted(t, kind);
    await writeMonth(place, aManifest('2019-01'));
    const gone = { path: 'lake/gone', bytes: 1, sha256: '', mtimeMs: 0 };
    const torn = { ...manifest, files: [...manifest.files, gone] };
    const where = { place, now: new Date(5) };
    await t.throwsAsync(restorePart(folder, torn, 'lake', where), { code: 'ENOENT' });
    t.deepEqual(await monthsOf(place), ['2019-01']);
    t.deepEqual(await readdir(place), ['flights']);
    t.deepEqual(await readdir(above), kind === 'folder' ? ['lake'] : []);

    // A killed one takes nothing away behind it.
    await mkdir(kind === 'folder' ? `${place}.coming` : path.join(place, '.coming'));
    t.deepEqual(await halfMoved(place), []);
    await restorePart(folder, manifest, 'lake', where);
    t.deepEqual(await monthsOf(place), ['2018-07']);
  });
}

const [FIRST, SECOND] = [new Date('2026-11-01'), new Date('2026-11-02')] as const;

for (const kind of ['tmpfs', 'bind'] as const) {
  (isRoot ? test : test.skip)(
    `a lake that is a ${kind} mount of its own comes back onto it, twice, with what was there kept`,
    async (t) => {
      const place = await mounted(t, kind);
      const { request, folder, manifest } = await aBackup(t);
      await mkdir(path.join(place, 'lost+found'));
      await writeMonth(place, aManifest('2019-01'));
      const first = await restorePart(folder, manifest, 'lake', { place, now: FIRST });
      t.is(first.setAside, path.join(place, `.before-${FIRST.getTime()}`));
      t.deepEqual(await monthsOf(place), ['2018-07']);
      t.deepEqual(await monthsOf(first.setAside ?? ''), ['2019-01']);

      // One that ended half-way says so, also after another that ends while it copies, and is gone on with.
      await mkdir(path.join(place, '.restoring'));
      const none = { ...manifest, files: [{ ...manifest.files[0]!, path: 'lake/gone' }] };
      const where = { place, now: SECOND };
      await t.throwsAsync(restorePart(folder, none, 'lake', where), { code: 'ENOENT' });
      t.deepEqual(await halfMoved(place), ['lake']);
      await restorePart(folder, manifest, 'lake', where);
      t.deepEqual(await halfMoved(place), []);
      const aside = [FIRST, SECOND].map((at) => `.before-${at.getTime()}`);
      const names = [...aside, 'flights', 'lost+found'];
      t.deepEqual((await readdir(place)).toSorted(), names);
      t.deepEqual(
        (await setAsideOf(place)).map(({ folder: one }) => path.basename(one)),
        aside,
      );
      // What is kept there, and what the disk has of its own, is in no backup.
      const from = { ...request.from, lake: place };
      const again = await writeBackup({ ...request, from, now: new Date() });
      t.is(again.files, manifest.files.length);
    },
  );
}
