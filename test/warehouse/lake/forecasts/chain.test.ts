import { cp, mkdtemp, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { listAllEntries } from '../../../../warehouse/ground/files.ts';
import {
  appendNight,
  type NightRequest,
} from '../../../../warehouse/lake/forecasts/append-night.ts';
import {
  HEAD,
  nightUnit,
  readHead,
  readNight,
} from '../../../../warehouse/lake/forecasts/nights.ts';
import { verifyNights } from '../../../../warehouse/lake/forecasts/verify-nights.ts';
import { folderLake } from '../../../../warehouse/lake/shared/lake-home.ts';

const NIGHTS = ['2026-11-01', '2026-11-02', '2026-11-05'];
const HOME = folderLake((_unit, work) => work());

async function aFolder(t: ExecutionContext): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'headwind-chain-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Freezes a few bytes that differ by night. */
function append(lakeDir: string, night: string, freeze?: NightRequest['freeze']) {
  const write = async (file: string) => {
    await writeFile(file, `forecasts of ${night} `.repeat(5));
    const frozenAt = `${night}T03:20:00.000Z`;
    return { rows: 5, frozenAt, storeVersion: 'store', codeVersion: 'code' };
  };
  return appendNight({ lakeDir, home: HOME, night, freeze: freeze ?? write });
}

async function aChain(t: ExecutionContext): Promise<string> {
  const lakeDir = await aFolder(t);
  for (const night of NIGHTS) await append(lakeDir, night);
  return lakeDir;
}

/** Lists all files below a folder, relative to it. */
async function filesBelow(folder: string): Promise<string[]> {
  const entries = await listAllEntries(folder);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
}

const damageOf = async (lakeDir: string) => (await verifyNights(lakeDir)).damaged;

test('each night names the night before and the nights without forecasts', async (t) => {
  const lakeDir = await aChain(t);
  const { nights } = await readHead(lakeDir);
  t.deepEqual(
    nights.map(({ night }) => night),
    NIGHTS,
  );
  const [first, second, third] = await Promise.all(
    NIGHTS.map((night) => readNight(lakeDir, night)),
  );
  t.is(first?.previous, null);
  t.deepEqual(second?.previous, nights[0]);
  t.deepEqual(third?.previous, nights[1]);
  t.deepEqual(third?.missedNights, ['2026-11-03', '2026-11-04']);
  const { checked, damaged } = await verifyNights(lakeDir);
  t.deepEqual({ checked, damaged }, { checked: 3, damaged: [] });
});

test('every changed byte is found', async (t) => {
  const lakeDir = await aChain(t);
  let flipped = 0;
  for (const file of await filesBelow(lakeDir)) {
    const place = path.join(lakeDir, file);
    const content = await readFile(place);
    for (let at = 0; at < content.length; at += 1) {
      const changed = Buffer.from(content);
      changed[at] = (changed[at] as number) ^ (1 << (at % 8));
      await writeFile(place, changed);
      if ((await damageOf(lakeDir)).length === 0) t.fail(`byte ${at} of ${file}`);
      flipped += 1;
    }
    await writeFile(place, content);
  }
  t.true(flipped > 2_000, `${flipped}`);
  t.deepEqual(await damageOf(lakeDir), []);
});

test('truncated, removed, swapped and replaced files are found', async (t) => {
  const lakeDir = await aChain(t);
  const place = (night: string) => path.join(lakeDir, nightUnit(night));
  const [first = '', second = '', third = ''] = NIGHTS.map(place);
  const harms: [name: string, harm: () => Promise<unknown>][] = [
    ...(await filesBelow(lakeDir)).flatMap((file): [string, () => Promise<unknown>][] => [
      [`${file} truncated`, () => truncate(path.join(lakeDir, file), 10)],
      [`${file} removed`, () => rm(path.join(lakeDir, file))],
    ]),
    ...[first, second, third].map((folder): [string, () => Promise<unknown>] => [
      `${folder} removed`,
      () => rm(folder, { recursive: true }),
    ]),
    [
      'two nights swapped',
      async () => {
        await rename(first, `${first}.x`);
        await rename(second, first);
        await rename(`${first}.x`, second);
      },
    ],
    ['a night copied', () => cp(first, place('2026-11-03'), { recursive: true })],
    ['a night copied to the end', () => cp(first, place('2026-11-09'), { recursive: true })],
    [
      'a night replaced by that of another chain',
      async () => {
        const other = await aFolder(t);
        await append(other, '2026-11-02');
        await rm(second, { recursive: true });
        await cp(path.join(other, nightUnit('2026-11-02')), second, { recursive: true });
      },
    ],
  ];
  const intact = await aFolder(t);
  await cp(lakeDir, intact, { recursive: true });
  for (const [name, harm] of harms) {
    await harm();
    t.not((await damageOf(lakeDir)).length, 0, name);
    await rm(path.join(lakeDir, 'forecasts'), { recursive: true });
    await cp(intact, lakeDir, { recursive: true });
  }
  t.deepEqual(await damageOf(lakeDir), []);
});

test('a second run of a night freezes nothing, and an earlier night is refused', async (t) => {
  const lakeDir = await aChain(t);
  const before = await readFile(path.join(lakeDir, HEAD, 'manifest.json'));
  const report = await append(lakeDir, '2026-11-05', () =>
    Promise.reject(new Error('frozen again')),
  );
  t.like(report, { isNew: false, forecasts: 5, nights: 3 });
  t.deepEqual(await readFile(path.join(lakeDir, HEAD, 'manifest.json')), before);
  await t.throwsAsync(append(lakeDir, '2026-11-04'), {
    message:
      'cannot add forecasts for 2026-11-04, because those of the later day 2026-11-05 are already frozen; check the clock',
  });
});

test('a run killed while writing leaves the chain as it was', async (t) => {
  const lakeDir = await aChain(t);
  await t.throwsAsync(append(lakeDir, '2026-11-06', () => Promise.reject(new Error('killed'))));
  t.deepEqual(await readdir(path.join(lakeDir, 'forecasts')), [
    'head',
    ...NIGHTS.map((night) => `night=${night}`),
  ]);
  t.deepEqual(await damageOf(lakeDir), []);
});

test('a night that a killed run wrote but did not link is linked by the next run', async (t) => {
  const lakeDir = await aChain(t);
  const head = await readFile(path.join(lakeDir, HEAD, 'manifest.json'));
  await append(lakeDir, '2026-11-06');
  const forecasts = await readNight(lakeDir, '2026-11-06');
  const linked = await readFile(path.join(lakeDir, HEAD, 'manifest.json'));
  for (const next of ['2026-11-06', '2026-11-07']) {
    await writeFile(path.join(lakeDir, HEAD, 'manifest.json'), head);
    t.deepEqual(await damageOf(lakeDir), [], 'no data is lost');
    await append(lakeDir, next);
    t.deepEqual(await readNight(lakeDir, '2026-11-06'), forecasts);
    const { nights } = await readHead(lakeDir);
    t.deepEqual(nights.slice(0, 4), JSON.parse(linked.toString()).nights);
    t.is(nights.at(-1)?.night, next);
  }
  t.deepEqual(await damageOf(lakeDir), []);
});

test('a night that does not follow the chain is reported, and the chain goes on without it', async (t) => {
  const lakeDir = await aChain(t);
  const stray = path.join(lakeDir, nightUnit('2026-11-06'));
  await cp(path.join(lakeDir, nightUnit('2026-11-05')), stray, { recursive: true });
  await append(lakeDir, '2026-11-07');
  t.deepEqual(await damageOf(lakeDir), ['2026-11-06: has the forecasts of 2026-11-05']);
  t.is((await readHead(lakeDir)).nights.length, 4);
});
