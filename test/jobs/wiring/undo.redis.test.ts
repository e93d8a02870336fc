import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { RestoreRefusedError } from '../../../pipelines/errors.ts';
import { currentManifest } from '../../../warehouse/lake/place-month.ts';
import { listVersions } from '../../../warehouse/lake/versions.ts';
import { readSnapshot } from '../../../warehouse/snapshot.ts';
import { readFromDisk } from '../../../warehouse/store/disk.ts';
import { monthCsv } from '../helpers/months.ts';
import { pipelineWorld, silent } from '../helpers/pipeline-world.ts';

test('after restore and drop, the store has the same bytes as before the load, and both are in the ledger', async (t) => {
  const { steps, file, paths, dataDir, runs } = await pipelineWorld(t, monthCsv('2025-01'));
  const load = async (path: string, force = false) => {
    const { months } = await steps.extractFile({ path, force }, silent);
    await steps.loadMonths(
      months.map(({ month }) => month),
      silent,
    );
  };
  const publishedHashes = async () => {
    await steps.buildFeatures(silent);
    await steps.publishStore(silent);
    const files = await readFromDisk(paths.storeDir);
    return Object.values(files?.manifest.tables ?? {}).map(({ sha256 }) => sha256);
  };
  const newest = async (month: string) => {
    const ref = { month, tree: 'flights' as const };
    const current = await currentManifest(paths.lakeDir, ref);
    return { ...ref, version: (await listVersions(paths.lakeDir, ref, current))[0]?.id ?? '' };
  };
  const loaded = async () => (await readSnapshot(paths)).map(({ month }) => month);
  await load(file);
  const before = await publishedHashes();

  const [other, february] = [join(dataDir, 'other.csv'), join(dataDir, 'february.csv')];
  await writeFile(other, monthCsv('2025-01', 300, 30));
  await load(other, true);
  const request = { ...(await newest('2025-01')), force: true };
  await t.throwsAsync(steps.restoreMonth({ ...request, force: false }, silent), {
    instanceOf: RestoreRefusedError,
    message: /is poorer: it has 200 flights, the lake 300/,
  });
  const restored = await steps.restoreMonth(request, silent);
  t.like(restored, { before: { flights: 300 }, after: { flights: 200, source: 'flights.csv' } });
  t.deepEqual(await steps.restoreMonth(request, silent), { ...restored, before: restored.after! });

  await writeFile(february, monthCsv('2025-02'));
  await load(february);
  const dropped = await steps.dropMonth({ month: '2025-02', tree: 'flights' }, silent);
  t.is(dropped.after, undefined);
  t.deepEqual(await loaded(), ['2025-01']);
  t.deepEqual(await publishedHashes(), before);
  await steps.restoreMonth(await newest('2025-02'), silent);
  t.deepEqual(await loaded(), ['2025-01', '2025-02']);

  const undoRuns = (await runs()).filter(({ step }) => step === 'restore' || step === 'drop');
  t.deepEqual(
    undoRuns.map(({ step, outcome, inputs, rowsIn, rowsOut }) => [
      step,
      outcome,
      inputs[0]?.name.slice(0, 7),
      rowsIn,
      rowsOut,
    ]),
    [
      ['restore', 'failed', '2025-01', undefined, undefined],
      ['restore', 'done', '2025-01', 300, 200],
      ['restore', 'done', '2025-01', 200, 200],
      ['drop', 'done', '2025-02', 200, 0],
      ['restore', 'done', '2025-02', 0, 200],
    ],
  );
});
