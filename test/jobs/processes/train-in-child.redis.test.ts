import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { trainInChild } from '../../../jobs/processes/train-in-child.ts';
import type { Status } from '../../../jobs/cli/status/types.ts';
import type { Models } from '../../../jobs/cli/status/models.ts';
import { TrainingImpossibleError } from '../../../pipelines/errors.ts';
import { findModel } from '../../../pipelines/model/released-model.ts';
import { readRuns, listRunIds } from '../../../warehouse/lake/ledger.ts';
import { dataPaths } from '../../../warehouse/paths.ts';
import { serialTestWithXgboost } from '../../models/helpers/test-with-xgboost.ts';
import { startCommand, until } from '../helpers/command.ts';
import { fillLake, MONTH_FLIGHTS } from '../helpers/lake.ts';
import { programHere } from '../helpers/program-here.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { trainingChildren } from '../helpers/training-child.ts';

const MAIN = fileURLToPath(new URL('../../../jobs/main.ts', import.meta.url));
const SIX_MONTHS = { from: '2018-01', to: '2018-06' };

/** Creates a lake of these months and runs commands on it. Each command starts its own worker and Redis. */
async function aLake(t: ExecutionContext, span: { from: string; to: string }) {
  const dataDir = await tempDir(t);
  const paths = dataPaths(dataDir);
  await fillLake(t, paths.lakeDir, span);
  return {
    dataDir,
    paths,
    run: (...args: string[]) => startCommand(t, args, { DATA_DIR: dataDir }, MAIN),
    runs: async () => readRuns(paths.runsDir, await listRunIds(paths.runsDir)),
  };
}

serialTestWithXgboost(
  'train waits for its job, releases an accepted regional model, and status shows the model',
  async (t) => {
    const { dataDir, paths, runs } = await aLake(t, SIX_MONTHS);
    const run = await programHere(t, dataDir);
    const train = await run('train', '--accept', 'regional');
    t.is(train.code, 0, train.err);
    t.regex(train.err, /^train: 0 of 5, history: started\n/);
    const { model } = await findModel(paths.modelsDir);
    t.is(model?.origin, 'released');
    t.is(model?.trainedOn.months.length, 6);
    t.like(model?.trainedOn.coverage, { flights: 6 * MONTH_FLIGHTS, airports: 2, carriers: 2 });
    t.regex(
      train.out,
      /^released: on 21,000 flights of 2018-05 to 2018-06 its Brier score is .* more than the noise .* regional, as accepted: /,
    );
    t.regex(train.out, new RegExp(`\nModel ${model?.version} is in .*\nNext: make publish\n$`));

    const [entry] = await runs();
    t.like(entry, { step: 'train', outcome: 'done', rowsIn: 6 * MONTH_FLIGHTS });
    t.deepEqual(entry?.inputs, [
      { name: '6 months, 2018-01 to 2018-06', sha256: model?.trainedOn.dataSha256 },
    ]);
    t.like(entry?.detail, {
      isReleased: true,
      version: model?.version,
      trial: {
        months: ['2018-05', '2018-06'],
        seen: ['2018-05', '2018-06'],
        candidate: { n: 21_000 },
        previous: { n: 21_000 },
        gain: { blocks: 56 },
      },
    });

    const status = await run('status', '--json');
    t.is(status.code, 1, 'nothing is published yet');
    t.like((JSON.parse(status.out) as Status).model, {
      version: null,
      next: { version: model?.version, origin: 'released', months: model?.trainedOn.months },
      training: { outcome: 'done', why: train.out.split('\n')[0] },
    });
    const models = await run('model', '--json');
    t.is(models.code, 0, models.err);
    t.like(JSON.parse(models.out) as Models, {
      served: null,
      next: model?.version,
      trainings: [{ outcome: 'released', version: model?.version, coverage: { airports: 2 } }],
    });
  },
);

serialTestWithXgboost(
  'a training runs again and succeeds after kill -9 of its process, and then of its worker',
  async (t) => {
    const { dataDir, paths, run, runs } = await aLake(t, SIX_MONTHS);
    const train = run('train', '--accept', 'regional');
    const aChild = async () => (await trainingChildren(dataDir))[0] ?? 0;
    await until('a model is being trained', async () => (await aChild()) > 0);
    const first = await aChild();
    process.kill(first, 'SIGKILL');
    await until('another model is being trained', async () => ![0, first].includes(await aChild()));
    const note =
      /train-[0-9a-f]{12}: attempt 1 failed, retrying: the training process ended \(SIGKILL\)/;
    await until('the failed attempt is printed', () => note.test(train.err()));
    const second = await aChild();
    const log = await readFile(join(dataDir, 'logs', 'worker.log'), 'utf8');
    process.kill(Number(/"pid":(\d+)/.exec(log)?.[1]), 'SIGKILL');
    t.is(await train.end, 0, train.err());
    t.false((await trainingChildren(dataDir)).includes(second));
    const { model } = await findModel(paths.modelsDir);
    t.is(model?.origin, 'released');
    const expected = [model?.version ?? '', 'current'].toSorted();
    t.deepEqual((await readdir(paths.modelsDir)).toSorted(), expected);
    // The run that was killed together with its worker has no entry in the ledger.
    t.deepEqual(
      (await runs()).map(({ outcome, error }) => [outcome, error]),
      [
        ['failed', 'the training process ended (SIGKILL)'],
        ['done', undefined],
      ],
    );
  },
);

test.serial('with too few months, train prints how many it needs and exits with 1', async (t) => {
  const { run, paths } = await aLake(t, { from: '2018-01', to: '2018-03' });
  const train = run('train');
  t.is(await train.end, 1);
  t.regex(
    train.err(),
    /not released: the lake has 3 months, but 4 are needed: make ingest FILE=…\n$/,
  );
  t.is((await findModel(paths.modelsDir)).model?.origin, 'bundled');
});

test.serial('a training that takes too long is killed, and the error is final', async (t) => {
  const folders = { lakeDir: await tempDir(t), modelsDir: await tempDir(t) };
  const request = { ...folders, months: ['2018-01'], seed: 1, codeVersion: 'test' };
  await t.throwsAsync(
    trainInChild(request, () => undefined, 6),
    {
      instanceOf: TrainingImpossibleError,
      message: 'the training took more than 0.0001 minutes',
    },
  );
});

test.serial(
  'without the library, the error names the package to install and is final',
  async (t) => {
    const folders = { lakeDir: await tempDir(t), modelsDir: await tempDir(t) };
    const request = { ...folders, months: ['2018-01'], seed: 1, codeVersion: 'test' };
    await t.throwsAsync(
      trainInChild({ ...request, library: 'libnone.so' }, () => undefined),
      {
        instanceOf: TrainingImpossibleError,
        message: 'libnone.so is not installed: run make setup, or install libxgboost0',
      },
    );
  },
);
