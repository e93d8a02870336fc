import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'ava';
import type { ExecutionContext } from 'ava';
import { seedDue, seedMissing } from '../../../../jobs/cli/run/seed-due.ts';
import type { JobSession } from '../../../../jobs/cli/session.ts';
import { CommandError } from '../../../../jobs/errors.ts';
import { FORMER_SEEDS } from '../../../../pipelines/seed/former-seeds.ts';
import { monthDir, type MonthManifest } from '../../../../warehouse/lake/lake.ts';
import { sealed } from '../../../../warehouse/lake/sealed.ts';
import { sha256 } from '../../../../warehouse/ground/sha256.ts';
import { tempDir } from '../../helpers/temp-dir.ts';

const SEED = 'the present one';

/** A data folder whose months came from these sources, and what is due of a seed of flights and table. */
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
    await writeFile(path.join(folder, 'manifest.json'), sealed(manifest));
  }
  const job = loadState === undefined ? undefined : { isCompleted: async () => loadState };
  const session = {
    queues: { queue: () => ({ getJob: async () => job }) },
    signal: new AbortController().signal,
  } as unknown as JobSession;
  return {
    dataDir,
    files: [flights, table],
    due: (files: string[]) => seedDue(dataDir, session, files),
  };
}

const FORMER = FORMER_SEEDS[0] as string;

test('an empty lake gets the history that ships', async (t) => {
  const { files, due } = await aHome(t, {});
  t.deepEqual(await due(files), { files, why: 'empty' });
  t.deepEqual(await due([files[0] ?? '', 'missing']), { files: [files[0]], why: 'empty' });
  await t.throwsAsync(due(['missing']), { instanceOf: CommandError });
});

test('a lake with months of an older one gets the present one, whatever else it holds', async (t) => {
  for (const others of [{}, { '2019-01': 'own' }]) {
    const { files, due } = await aHome(t, { '2018-01': FORMER, ...others });
    t.deepEqual(await due(files), { files, why: 'older' });
  }
});

test('a lake of months of its own, or with the present history in it, is left alone', async (t) => {
  const own = await aHome(t, { '2018-01': 'own' });
  t.is(await own.due(own.files), undefined);
  t.is(await own.due(['missing']), undefined);
  // A month of an older one that was refused stays.
  const both = await aHome(t, { '2018-01': FORMER, '2018-02': sha256(SEED) }, true);
  t.is(await both.due(both.files), undefined);
});

test('a history whose loading was ended half-way is gone on with', async (t) => {
  const { files, due } = await aHome(t, { '2018-02': sha256(SEED) }, false);
  t.deepEqual(await due(files), { files, why: 'begun' });
});

test("months of one's own without the history that ships are told, with the way to add it", async (t) => {
  const own = await aHome(t, { '2018-01': 'own' });
  const seed = path.join(own.dataDir, 'route_hours.parquet');
  await writeFile(seed, SEED);
  t.regex(
    (await seedMissing(own.dataDir, [seed])) ?? '',
    /make ingest FILE=".*route_hours\.parquet"/,
  );
  t.is(await seedMissing(own.dataDir, [path.join(own.dataDir, 'a.parquet')]), undefined);
  await writeFile(path.join(own.dataDir, 'a.parquet'), SEED);
  t.is(await seedMissing(own.dataDir, [path.join(own.dataDir, 'a.parquet')]), undefined);
  t.is(await seedMissing((await aHome(t, {})).dataDir, [seed]), undefined);
});
