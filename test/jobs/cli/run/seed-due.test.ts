import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'ava';
import type { ExecutionContext } from 'ava';
import { findDueSeed, missingSeedHint, FORMER_SEEDS } from '../../../../jobs/cli/run/seed-due.ts';
import type { JobSession } from '../../../../jobs/cli/session.ts';
import { CommandError } from '../../../../jobs/errors.ts';
import { monthDir, type MonthManifest } from '../../../../warehouse/lake/lake.ts';
import { sealJson } from '../../../../warehouse/lake/sealed.ts';
import { sha256 } from '../../../../warehouse/ground/hashes.ts';
import { tempDir } from '../../helpers/temp-dir.ts';

const SEED = 'the current seed';

/**
 * Creates a data folder whose months come from these sources, and the two files of a seed: flights and delay-cause
 * table.
 */
async function aHome(t: ExecutionContext, sources: Record<string, string>, loadState?: boolean) {
  const dataDir = await tempDir(t);
  const [flights, table] = [path.join(dataDir, 'flights'), path.join(dataDir, 'table')];
  await writeFile(flights, SEED);
  await writeFile(table, 'the table');
  for (const [month, sha] of Object.entries(sources)) {
    const folder = monthDir(path.join(dataDir, 'lake'), month);
    await mkdir(folder, { recursive: true });
    const file = { name: 'a.parquet', rows: 1, bytes: 1, sha256: 'x' };
    const manifest: MonthManifest = {
      month,
      source: { name: 'a.parquet', sha256: sha, bytes: 1, form: 'route_hours' },
      rows: { read: 1, loaded: 1, rejected: 0 },
      rejects: {},
      delayBasis: 'arrival',
      files: { routeHours: file },
      sourceRows: 1,
      codeVersion: 'test',
      extractedAt: '2026-11-01T00:00:00Z',
    };
    await writeFile(path.join(folder, 'manifest.json'), sealJson(manifest));
  }
  const job = loadState === undefined ? undefined : { isCompleted: async () => loadState };
  const session = {
    queues: { queue: () => ({ getJob: async () => job }) },
    signal: new AbortController().signal,
  } as unknown as JobSession;
  return {
    dataDir,
    files: [flights, table],
    due: (files: string[]) => findDueSeed(dataDir, session, files),
  };
}

const FORMER = FORMER_SEEDS[0] as string;

test('the bundled history is loaded into an empty lake', async (t) => {
  const { files, due } = await aHome(t, {});
  t.deepEqual(await due(files), { files, why: 'empty' });
  t.deepEqual(await due([files[0] ?? '', 'missing']), { files: [files[0]], why: 'empty' });
  await t.throwsAsync(due(['missing']), { instanceOf: CommandError });
});

test('a newer bundled history replaces an older one, also in a lake with other months', async (t) => {
  for (const others of [{}, { '2019-01': 'own' }]) {
    const { files, due } = await aHome(t, { '2018-01': FORMER, ...others });
    t.deepEqual(await due(files), { files, why: 'older' });
  }
});

test('nothing is loaded into a lake with only own months, or with the current bundled history', async (t) => {
  const own = await aHome(t, { '2018-01': 'own' });
  t.is(await own.due(own.files), undefined);
  t.is(await own.due(['missing']), undefined);
  // A month of the former bundled history stays if the same month of the current history was refused.
  const both = await aHome(t, { '2018-01': FORMER, '2018-02': sha256(SEED) }, true);
  t.is(await both.due(both.files), undefined);
});

test('a data folder of an older version gains the records of other providers, and loads no month again', async (t) => {
  const { dataDir, files, due } = await aHome(t, { '2018-02': sha256(SEED) }, true);
  const hkia = path.join(dataDir, 'hkia.parquet');
  await writeFile(hkia, 'flights of Hong Kong');
  t.deepEqual(await due([...files, hkia, 'missing']), { files: [hkia], why: 'added' });
  await mkdir(path.join(dataDir, 'lake/providers/hkia'), { recursive: true });
  t.is(await due([...files, hkia]), undefined);
  const own = await aHome(t, { '2018-01': 'own' });
  t.is(await own.due([...own.files, hkia]), undefined);
});

test('an interrupted load of the bundled history is continued', async (t) => {
  const { files, due } = await aHome(t, { '2018-02': sha256(SEED) }, false);
  t.deepEqual(await due(files), { files, why: 'begun' });
});

test('a lake with own months but without the bundled history gets a hint about adding it', async (t) => {
  const own = await aHome(t, { '2018-01': 'own' });
  const seed = path.join(own.dataDir, 'route_hours.parquet');
  await writeFile(seed, SEED);
  t.regex(
    (await missingSeedHint(own.dataDir, [seed])) ?? '',
    /make ingest FILE=".*route_hours\.parquet"/,
  );
  t.is(await missingSeedHint(own.dataDir, [path.join(own.dataDir, 'a.parquet')]), undefined);
  await writeFile(path.join(own.dataDir, 'a.parquet'), SEED);
  t.is(await missingSeedHint(own.dataDir, [path.join(own.dataDir, 'a.parquet')]), undefined);
  t.is(await missingSeedHint((await aHome(t, {})).dataDir, [seed]), undefined);
});
