import { appendFile, readdir, readFile, rm, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'ava';
import { extractFile } from '../../../../pipelines/flights/ingest.ts';
import { createExtractDeps } from '../../../../warehouse/extract/extract.ts';
import { fileSha256 } from '../../../../warehouse/ground/hashes.ts';
import { listDropped } from '../../../../warehouse/lake/dropped.ts';
import { isIntact, monthDir, readManifest, surveyLake } from '../../../../warehouse/lake/lake.ts';
import { aFile, aFlight, aFolder, toCsv } from '../../../helpers/flight-files.ts';
import { aHost, aWorld, DAY_MS, UNIT } from './helpers/hosts.ts';

/** Names and hashes of the files in the folder of July. */
const filesOfJuly = async (lakeDir: string) => {
  const folder = monthDir(lakeDir, '2018-07');
  const names = (await readdir(folder)).toSorted();
  return Promise.all(
    names.map(async (name) => `${name} ${await fileSha256(path.join(folder, name))}`),
  );
};

test('a month written, restored or dropped on one machine is the same on all, byte for byte, with versions', async (t) => {
  const world = await aWorld(t);
  const [one, other] = [await aHost(t, world), await aHost(t, world)];
  await one.load('LAX');
  await one.load('SFO');
  await other.lake.refresh();
  t.is(await other.source(), 'SFO.csv');
  t.deepEqual(await readdir(monthDir(other.lakeDir, '2018-07')), ['manifest.json']);
  await other.lake.fetch();
  t.deepEqual(await filesOfJuly(other.lakeDir), await filesOfJuly(one.lakeDir));
  const [before] = await other.versions();
  t.is(before?.manifest.source.name, 'LAX.csv');
  await other.restore(before!.id);
  await one.lake.refresh();
  t.is(await one.source(), 'LAX.csv');
  await one.lake.fetch();
  t.deepEqual(await filesOfJuly(one.lakeDir), await filesOfJuly(other.lakeDir));
  await one.drop();
  await other.lake.refresh();
  t.is(await other.source(), undefined);
  t.deepEqual(
    (await other.versions()).map(({ manifest }) => manifest.source.name),
    ['LAX.csv', 'SFO.csv'],
  );
});

test('a drop without former versions is known on all machines, until one of them loads the month', async (t) => {
  const world = await aWorld(t);
  const keepVersions = 0;
  const [one, other] = [
    await aHost(t, world, { keepVersions }),
    await aHost(t, world, { keepVersions }),
  ];
  await one.load('LAX');
  await other.lake.refresh();
  await one.drop();
  for (const host of [one, other, one]) {
    await host.lake.refresh();
    t.is(await host.source(), undefined);
    t.deepEqual(await listDropped(host.lakeDir), [{ month: '2018-07' }]);
  }
  const late = await aHost(t, world, { keepVersions });
  await late.lake.refresh();
  t.deepEqual(await listDropped(late.lakeDir), [{ month: '2018-07' }]);
  await other.load('SFO');
  await one.lake.refresh();
  t.is(await one.source(), 'SFO.csv');
  t.deepEqual(await listDropped(one.lakeDir), []);
});

test('if two machines write a month, the slower one repeats its work on the result of the faster one', async (t) => {
  const world = await aWorld(t);
  const one = await aHost(t, world);
  let isFirst = true;
  const localSources: (string | undefined)[] = [];
  const other = await aHost(t, world, {
    pointers: (real) => ({
      ...real,
      move: async (...move) => {
        localSources.push(await other.source());
        // The other machine moves the pointer just before.
        if (isFirst) await one.load('LAX');
        isFirst = false;
        return real.move(...move);
      },
    }),
  });
  const report = await other.load('SFO');
  t.is(report.months[0]?.replaced?.before.source, 'LAX.csv');
  t.deepEqual(localSources, ['SFO.csv', 'SFO.csv']);
  await one.lake.refresh();
  t.is(await one.source(), 'SFO.csv');
  t.deepEqual(
    (await one.versions()).map(({ manifest }) => manifest.source.name),
    ['LAX.csv'],
  );
  t.deepEqual(await one.pointers.readAll(), await other.pointers.readAll());
});

test('a machine killed between upload and move changes nothing; its objects are removed a day later', async (t) => {
  const world = await aWorld(t);
  const [one, lakeDir] = [await aHost(t, world), await aFolder(t)];
  await one.load('LAX');
  const dying = await aHost(t, world, {
    lakeDir,
    pointers: (real) => ({ ...real, move: () => Promise.reject(new Error('killed')) }),
  });
  await t.throwsAsync(dying.load('SFO'), { message: 'killed' });
  const objectCount = world.server.objects.size;
  const again = await aHost(t, world, { lakeDir });
  await again.lake.refresh();
  t.is(await again.source(), 'LAX.csv');
  await again.lake.fetch();
  t.deepEqual(await filesOfJuly(lakeDir), await filesOfJuly(one.lakeDir));
  t.is(await one.lake.tidy(), 0);
  one.clock.now += 2 * DAY_MS;
  // Removes four files and the manifest; current versions stay.
  t.is(await one.lake.tidy(), 5);
  t.is(world.server.objects.size, objectCount - 5);
  await again.load('SEA');
  await one.lake.refresh();
  await one.lake.fetch();
  t.true(await one.isWhole());
});

test('a damaged local file is downloaded again; damage in the bucket is reported and fixed by ingest', async (t) => {
  const world = await aWorld(t);
  const [one, other] = [await aHost(t, world), await aHost(t, world)];
  await one.load('LAX');
  await other.lake.refresh();
  await other.lake.fetch();
  const { files } = (await readManifest(other.lakeDir, '2018-07'))!;
  const flights = path.join(monthDir(other.lakeDir, '2018-07'), files.flights!.name);
  const bytes = await readFile(flights);
  await writeFile(flights, bytes.fill(0, 10, 20));
  t.false(await other.isWhole());
  await other.lake.fetch();
  t.true(await other.isWhole());
  await unlink(flights);
  await appendFile(path.join(monthDir(other.lakeDir, '2018-07'), 'manifest.json'), ' ');
  await other.lake.refresh();
  await other.lake.fetch([UNIT], 'size');
  t.true(await other.isWhole());

  const named = (end: string) =>
    [...world.server.objects].find(
      ([name]) => name.startsWith('lake/flights') && name.endsWith(end),
    )!;
  named('flights.parquet')[1].body = Buffer.from('not it');
  const third = await aHost(t, world);
  await third.lake.refresh();
  await t.throwsAsync(third.lake.fetch(), { message: /its content differs from what was written/ });
  world.server.objects.delete(named('manifest.json')[0]);
  const fourth = await aHost(t, world);
  await fourth.lake.refresh();
  t.deepEqual(await surveyLake(fourth.lakeDir), { manifests: [], damaged: ['2018-07'] });
  await fourth.load('SFO');
  await third.lake.refresh();
  await third.lake.fetch();
  t.true(await third.isWhole());
});

test('a folder with its own lake, or a copy of another lake, does not become a copy', async (t) => {
  const world = await aWorld(t);
  const one = await aHost(t, world);
  await one.load('LAX');
  const other = await aHost(t, world);
  await other.lake.refresh();
  await other.lake.fetch();
  const copied = { lakeDir: other.lakeDir };
  await rm(path.join(other.lakeDir, '.home'));
  await t.notThrowsAsync((await aHost(t, world, copied)).lake.refresh());
  await writeFile(path.join(other.lakeDir, '.home'), 's3://another');
  const otherLake = { name: 'OtherLakeError', message: /is a copy of s3:\/\/another/ };
  await t.throwsAsync((await aHost(t, world, copied)).lake.refresh(), otherLake);
  await rm(path.join(other.lakeDir, '.home'));
  await one.load('SFO');
  const ownLake = { name: 'OtherLakeError', message: /make lake-copy FROM=/ };
  await t.throwsAsync(
    (await aHost(t, world, copied)).lake.withUnitLock(UNIT, async () => 1),
    ownLake,
  );
  t.is(await other.source(), 'LAX.csv');
});

test('after a restore of a backup, one machine replaces the whole lake in a mounted folder', async (t) => {
  const world = await aWorld(t);
  const mounted = await aFolder(t);
  const [one, other] = [await aHost(t, world, { mounted }), await aHost(t, world, { mounted })];
  await one.load('LAX');
  await other.load('SFO');
  await one.lake.refresh();
  t.is(await one.source(), 'SFO.csv');
  // The folder as a restore leaves it: with other months, and without the mark of a copy.
  const restored = await aHost(t, world, { mounted });
  await extractFile(
    { path: await aFile(t, toCsv([aFlight({ FL_DATE: '2018-08-01' })])) },
    createExtractDeps({ lakeDir: restored.lakeDir, codeVersion: 'test' }),
    () => undefined,
  );
  await t.throwsAsync(restored.lake.refresh(), { name: 'OtherLakeError' });
  t.deepEqual(await restored.replace(), { units: 1 });
  await other.lake.refresh();
  await other.lake.fetch();
  const { manifests } = await surveyLake(other.lakeDir);
  t.deepEqual(
    manifests.map(({ month }) => month),
    ['2018-08'],
  );
  t.true(await isIntact(other.lakeDir, manifests[0]!));
});
