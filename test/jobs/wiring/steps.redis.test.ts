import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { openDatabase } from '../../../warehouse/connect.ts';
import { aFlight, numberFlights, toCsv } from '../../helpers/flight-files.ts';
import { providerPaths } from '../../../warehouse/paths.ts';
import { pipelineWorld, silent } from '../helpers/pipeline-world.ts';

const HONG_KONG = fileURLToPath(new URL('../../../warehouse/seed/hkia.parquet', import.meta.url));

/** Creates a pipeline with 200 valid flights of July 2018 and one that is rejected. */
async function aPipeline(t: ExecutionContext) {
  const flights = numberFlights(
    Array.from({ length: 200 }, (_, i) => aFlight({ ARR_DELAY: String(i % 60) })),
  );
  return pipelineWorld(t, toCsv([...flights, aFlight({ CRS_DEP_TIME: '2575' })]), '1.2.3');
}

test('every step records its run: inputs with hashes, rows in and out, rejects, code version', async (t) => {
  const { steps, file, runs } = await aPipeline(t);
  const extracted = await steps.extractFile({ path: file }, silent);
  await steps.loadMonths(['2018-07'], silent);
  await steps.buildFeatures(silent);
  await steps.publishStore(silent);
  const [extract, load, build, publish] = await runs();
  t.like(extract, {
    step: 'extract',
    outcome: 'done',
    codeVersion: '1.2.3',
    inputs: [{ name: 'flights.csv', sha256: extracted.source.sha256 }],
    rowsIn: 201,
    rowsOut: 200,
    rowsRejected: 1,
  });
  t.deepEqual(Object.values(extract?.rejects ?? {}), [1]);
  t.like(load, { step: 'load', rowsIn: 200, rowsOut: 200 });
  t.regex(load?.inputs[0]?.sha256 ?? '', /^[0-9a-f]{64}$/);
  t.like(build, { step: 'build', outcome: 'done', rowsIn: 200 });
  t.is(build?.inputs[0]?.name, '1 months, 2018-07 to 2018-07');
  t.deepEqual(publish?.inputs, build?.inputs);
  t.like(publish, { step: 'publish', outcome: 'done' });
});

test('a failed run is recorded with its error and the hash of its input', async (t) => {
  const { steps, file, runs } = await aPipeline(t);
  await writeFile(file, 'a,b\n1,2\n');
  await t.throwsAsync(steps.extractFile({ path: file }, silent));
  await t.throwsAsync(steps.publishStore(silent));
  const [extract, publish] = await runs();
  t.like(extract, { step: 'extract', outcome: 'failed' });
  t.regex(extract?.error ?? '', /unknown header/);
  t.regex(extract?.inputs[0]?.sha256 ?? '', /^[0-9a-f]{64}$/);
  t.like(publish, {
    step: 'publish',
    outcome: 'failed',
    error: 'not published: the features are not built yet; run make features',
  });
});

test('SQL can read every run in the warehouse, including the newest and the failed runs', async (t) => {
  const { steps, file, paths } = await aPipeline(t);
  await steps.extractFile({ path: file }, silent);
  await t.throwsAsync(steps.loadMonths(['2018-09'], silent));
  await steps.loadMonths(['2018-07'], silent);
  const db = await openDatabase({ path: paths.warehouseFile, readOnly: true });
  t.teardown(() => db.close());
  t.deepEqual(
    await db.rows(
      `select step, outcome, rows_in, rows_out, error, inputs->0->>'name' as input
       from ops.runs order by run_id`,
    ),
    [
      {
        step: 'extract',
        outcome: 'done',
        rows_in: 201,
        rows_out: 200,
        error: null,
        input: 'flights.csv',
      },
      {
        step: 'load',
        outcome: 'failed',
        rows_in: 0,
        rows_out: null,
        error: 'month 2018-09 is not in the lake: ingest it first',
        input: '2018-09',
      },
      { step: 'load', outcome: 'done', rows_in: 200, rows_out: 200, error: null, input: '2018-07' },
    ],
  );
});

test('a rebuild also builds the records of other providers, so that a publish contains all records', async (t) => {
  const { steps, file, paths } = await aPipeline(t);
  await steps.extractFile({ path: file }, silent);
  await steps.extractFile({ path: HONG_KONG }, silent);
  const { providers } = await steps.rebuildWarehouse(silent);
  t.deepEqual(Object.keys(providers ?? {}), ['hkia']);
  t.like(await steps.publishStore(silent), { providers: ['hkia'], providersLeftOut: undefined });
  // A damaged file is replaced.
  await writeFile(providerPaths(paths, 'hkia').warehouseFile, 'damaged');
  await steps.rebuildWarehouse(silent);
  t.like(await steps.publishStore(silent), { providers: ['hkia'], providersLeftOut: undefined });
});
