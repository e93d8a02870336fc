import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { createExtractDeps } from '../../../warehouse/extract/extract.ts';
import { extractFile } from '../../../pipelines/flights/ingest.ts';
import { filesOf, isIntact, monthDir, readManifest } from '../../../warehouse/lake/lake.ts';
import {
  restoreVersion,
  currentManifest,
  removeMonth,
} from '../../../warehouse/lake/place-month.ts';
import { restoreVersionFiles, listVersions } from '../../../warehouse/lake/versions.ts';
import { aFile, aFlight, aFolder, toCsv } from '../../helpers/flight-files.ts';

const JULY = { month: '2018-07', tree: 'flights' } as const;

/** A lake in which July was ingested once per destination, a minute apart. */
async function aLake(t: ExecutionContext, dests: string[], keepVersions = 3) {
  const lakeDir = await aFolder(t);
  let minutes = 0;
  const now = () => new Date(Date.UTC(2026, 10, 1, 2, minutes++));
  const options = { lakeDir, keepVersions, now };
  const deps = createExtractDeps({ ...options, codeVersion: 'test' });
  const load = async (dest: string) => {
    const path = await aFile(t, toCsv([aFlight({ DEST: dest })]), `${dest}.csv`);
    await extractFile({ path, force: true }, deps, () => undefined);
  };
  for (const dest of dests) await load(dest);
  const sources = async () => {
    const versions = await listVersions(lakeDir, JULY, await currentManifest(lakeDir, JULY));
    return versions.map(({ manifest }) => manifest.source.name);
  };
  const versionFrom = async (source: string) => {
    const versions = await listVersions(lakeDir, JULY, await currentManifest(lakeDir, JULY));
    return versions.find(({ manifest }) => manifest.source.name === source)!;
  };
  return { lakeDir, options, load, sources, versionFrom };
}

/** Names and bytes of all files in the folder of July. */
async function julyBytes(lakeDir: string) {
  const folder = monthDir(lakeDir, '2018-07');
  const names = (await readdir(folder)).toSorted();
  return Promise.all(names.map(async (name) => [name, await readFile(path.join(folder, name))]));
}

test('the last former versions of a month are stored, newest first, and its folder has only current files', async (t) => {
  const { lakeDir, sources } = await aLake(t, ['LAX', 'SFO', 'SEA', 'BOS', 'ORD']);
  t.deepEqual(await sources(), ['BOS.csv', 'SEA.csv', 'SFO.csv']);
  const manifest = await readManifest(lakeDir, '2018-07');
  t.deepEqual(
    (await readdir(monthDir(lakeDir, '2018-07'))).toSorted(),
    ['manifest.json', ...filesOf(manifest!).map(({ name }) => name)].toSorted(),
  );
});

test('a restored version is byte for byte the former month, and can be undone in turn', async (t) => {
  const { lakeDir, options, load, sources, versionFrom } = await aLake(t, ['LAX']);
  const before = await julyBytes(lakeDir);
  await load('SFO');
  const after = await julyBytes(lakeDir);
  const { id } = await versionFrom('LAX.csv');
  await restoreVersion(JULY, id, options);
  t.deepEqual(await julyBytes(lakeDir), before);
  t.deepEqual(await sources(), ['SFO.csv']);
  await restoreVersion(JULY, id, options);
  t.deepEqual(await sources(), ['SFO.csv']);
  await restoreVersion(JULY, (await versionFrom('SFO.csv')).id, options);
  t.deepEqual(await julyBytes(lakeDir), after);
});

test('a removed month is not in the lake, and can be restored byte for byte', async (t) => {
  const { lakeDir, options, versionFrom } = await aLake(t, ['LAX']);
  const before = await julyBytes(lakeDir);
  await removeMonth(JULY, options);
  await removeMonth(JULY, options);
  t.is(await readManifest(lakeDir, '2018-07'), undefined);
  t.deepEqual(await julyBytes(lakeDir), []);
  await restoreVersion(JULY, (await versionFrom('LAX.csv')).id, options);
  t.deepEqual(await julyBytes(lakeDir), before);
  await t.throwsAsync(removeMonth({ ...JULY, month: '2018-08' }, options), {
    message: 'month 2018-08 is not in the lake: nothing to drop',
  });
});

test('a process killed after linking the files but before the manifest leaves the month unchanged', async (t) => {
  const { lakeDir, options, versionFrom } = await aLake(t, ['LAX', 'SFO']);
  const version = await versionFrom('LAX.csv');
  await restoreVersionFiles(lakeDir, JULY, version);
  const current = await readManifest(lakeDir, '2018-07');
  t.is(current?.source.name, 'SFO.csv');
  t.true(await isIntact(lakeDir, current!));
  await restoreVersion(JULY, version.id, options);
  t.is((await readManifest(lakeDir, '2018-07'))?.source.name, 'LAX.csv');
});

test('a damaged version is not restored', async (t) => {
  const { lakeDir, options, versionFrom } = await aLake(t, ['LAX', 'SFO']);
  const { id, manifest } = await versionFrom('LAX.csv');
  const file = path.join(lakeDir, 'versions/flights/2018-07', id, filesOf(manifest)[0]!.name);
  await writeFile(file, 'x');
  await t.throwsAsync(restoreVersion(JULY, id, options), {
    message: /sha256 does not match the manifest/,
  });
  t.is((await readManifest(lakeDir, '2018-07'))?.source.name, 'SFO.csv');
  await t.throwsAsync(restoreVersion(JULY, '20261101T000000000Z-000000000000', options), {
    message: /to list its versions, run make status MONTH=2018-07/,
  });
});

test('an unchanged month creates no version, and with keepVersions 0 no former version is stored', async (t) => {
  const again = await aLake(t, ['LAX', 'LAX']);
  t.deepEqual(await again.sources(), []);
  const none = await aLake(t, ['LAX', 'SFO'], 0);
  t.deepEqual(await none.sources(), []);
});
