import test, { type ExecutionContext } from 'ava';
import { createAssess } from '../../../api/scoring/assess.ts';
import { openImportedModel } from '../../../api/scoring/imported-model.ts';
import { createPasses } from '../../../api/scoring/passes.ts';
import { createStoreModels } from '../../../api/scoring/store-models.ts';
import { assembleRows } from '../../../models/assemble.ts';
import { FEATURES } from '../../../models/features.ts';
import { openBlocking, RuntimeFailedError, type Runtime } from '../../../models/runtime/runtime.ts';
import { withModel } from '../../../warehouse/store/model.ts';
import { aStore, effectTable, someStats } from '../../helpers/store.ts';
import { someStoreFiles } from '../../helpers/store-files.ts';
import { aForeignFile, anImportedFile, dependsOnHour } from '../../models/helpers/foreign.ts';
import { CURRENT_CONTRACT, someMetadata, someModel } from '../../models/helpers/model.ts';
import { until } from '../../jobs/helpers/command.ts';
import { anApi, captureLog, scoreUrl, SOME_KEY } from '../helpers/app.ts';
import { aModel } from '../helpers/model.ts';

const WIDTH = FEATURES.length;
const HOUR_AT = FEATURES.findIndex(({ name }) => name === 'dep_hour');

const STATS = someStats({
  flightCount: 1000,
  completedCount: 1000,
  cancelledCount: 0,
  delayedCount: 1,
});
const HISTORY = { effects: effectTable({}), routeCarrier: () => STATS };

/** A store with an imported model whose fallback always predicts 0.25, and an API over it. */
async function aService(t: ExecutionContext, file = aForeignFile()) {
  const { contract } = CURRENT_CONTRACT;
  const bytes = anImportedFile(file);
  const fallback = { version: 'own', bytes: someModel({ probability: 0.25 }), contract };
  const files = withModel(await someStoreFiles(), { version: 'imp', bytes, contract, fallback });
  const store = { ...aStore(), ...HISTORY, manifest: files.manifest };
  const logging = captureLog();
  const models = createStoreModels(logging.log, { deadlineMs: 60_000 });
  t.teardown(models.close);
  t.true(await models.prepare(store, files));
  const assess = createAssess({ models, assemble: assembleRows, log: logging.log });
  const call = anApi({ stores: { current: () => store }, models, assess });
  return { ...logging, models, store, bytes, call };
}

const AT_NOON = scoreUrl({ dep_time: '12:00', include: 'lineage,by_hour' });

test('answers come from the imported model, with its version in the lineage', async (t) => {
  const { bytes, call, models, text } = await aService(t);
  const reference = openBlocking(bytes, CURRENT_CONTRACT);
  t.teardown(reference.close);
  const [expected = 0] = reference.predict(new Float32Array(WIDTH).fill(12, HOUR_AT, HOUR_AT + 1));
  const { status, body } = await call(AT_NOON);
  t.is(status, 200);
  t.like(body, {
    stats: { ml_probability: Math.round(1e4 * expected) / 100 },
    lineage: { model: 'imp' },
  });
  const model = await call(`/api/model?api_key=${SOME_KEY}`);
  t.like(model.body, {
    version: 'imp',
    seed: 1,
    imported: { version: 'imp', file: 'model.onnx', state: 'serving', failures: 0 },
  });
  t.like(models.currentImported(), { state: 'serving', fallbackAnswers: 0 });
  t.is(text(), '');
});

test('if one row of an answer has no probability, the fallback computes the whole answer', async (t) => {
  // The logarithm of a negative number is NaN: before 3:00 this model fails, and from 3:00 to 4:59 it works.
  const { call, models } = await aService(
    t,
    aForeignFile((graph) => graph.node('Log', [dependsOnHour(graph, 1)])),
  );
  t.is(models.currentImported()?.state, 'fallback', 'the trial has a row of zeros');
  t.like((await call(AT_NOON)).body, {
    stats: { ml_probability: 25 },
    lineage: { model: 'own' },
  });
  t.is(models.currentImported()?.fallbackAnswers, 1);
  const { body } = await call(`/api/model?api_key=${SOME_KEY}`);
  t.like(body, { version: 'own', imported: { version: 'imp', state: 'fallback' } });
  t.regex(JSON.stringify(body), /predicts NaN, which is not a probability/);
});

test('a signature names the model that scored, also if the imported model fails for one answer only', async (t) => {
  // In the evening this model predicts more than 1. The trial has rows without an hour, and they work.
  const { call, models } = await aService(
    t,
    aForeignFile((graph) => graph.node('Exp', [dependsOnHour(graph)])),
  );
  const signedModel = async (depTime: string) => {
    const url = scoreUrl({ dep_time: depTime, include: 'lineage', signed: 'true' });
    const { headers, body } = await call(url);
    const [header = ''] = String(headers['x-signature']).split('.');
    const { model } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { model?: string };
    return [model, (body as { lineage?: { model?: string } }).lineage?.model];
  };
  t.deepEqual(await signedModel('08:00'), ['imp', 'imp']);
  t.deepEqual(await signedModel('22:00'), ['own', 'own']);
  t.like(models.currentImported(), { state: 'serving', fallbackAnswers: 1 });
  t.deepEqual(await signedModel('09:00'), ['imp', 'imp']);
});

test('an imported model without a fallback leaves scores to the statistics', async (t) => {
  const bytes = anImportedFile(
    aForeignFile((graph) => graph.node('Log', [dependsOnHour(graph, 1)])),
  );
  const { contract } = CURRENT_CONTRACT;
  const files = withModel(await someStoreFiles(), { version: 'imp', bytes, contract });
  const store = { ...aStore(), ...HISTORY, manifest: files.manifest };
  const { log } = captureLog();
  const models = createStoreModels(log);
  t.teardown(models.close);
  await models.prepare(store, files);
  const assess = createAssess({ models, assemble: assembleRows, log });
  const { body } = await anApi({ stores: { current: () => store }, models, assess })(AT_NOON);
  t.like(body, { ml_available: false, lineage: { model: null } });
});

/** An imported model over made-up threads: `answer` gives the probability of a row, or throws. */
function aMadeUpModel(answer: (row: Float32Array, thread: number) => Promise<number>) {
  const calls: number[] = [];
  let threads = 0;
  const start = (): Runtime => {
    threads += 1;
    const thread = threads;
    return {
      predict: async (rows) => {
        calls.push(rows.length / WIDTH);
        const probabilities: number[] = [];
        for (let at = 0; at < rows.length; at += WIDTH) {
          probabilities.push(await answer(rows.subarray(at, at + WIDTH), thread));
        }
        return Float32Array.from(probabilities);
      },
      close: async () => undefined,
    };
  };
  const changes: string[] = [];
  const imported = openImportedModel(someMetadata(), WIDTH, {
    ...{ version: 'imp', start, deadlineMs: 100, now: () => new Date(0) },
    onChange: ({ state }) => changes.push(state),
  });
  return { imported, calls, changes, threads: () => threads };
}

const aRow = (value: number) => new Float32Array(WIDTH).fill(value);

test('rows of concurrent answers are predicted in one call, and each row once', async (t) => {
  const { imported, calls } = aMadeUpModel(async (row) => (row[0] ?? 0) / 10);
  await imported.probe();
  calls.length = 0;
  const { complete, combine } = createPasses();
  const model = combine(imported, aModel(0.9).model);
  const answer = (...values: number[]) =>
    complete(() =>
      values.map((value) => Math.round(10 * (model.predict(aRow(value))[0] as number))),
    );
  t.deepEqual(await Promise.all([answer(1, 2), answer(3), answer(2, 4)]), [[1, 2], [3], [2, 4]]);
  t.deepEqual(calls, [5]);
  t.deepEqual(await answer(4, 1), [4, 1]);
  t.deepEqual(calls, [5], 'known rows are not predicted again');
});

test('if the second row of an answer fails, the answer does not use the prediction of the first row', async (t) => {
  const { imported } = aMadeUpModel(async (row) => {
    if (row[0] === 7) throw new RuntimeFailedError('predicts NaN', true);
    return 0.1;
  });
  await imported.probe();
  const { complete, combine } = createPasses();
  const model = combine(imported, aModel(0.9).model);
  const answer = (values: number[]) =>
    complete(() => values.map((value) => model.predict(aRow(value))[0]?.toFixed(1)));
  t.deepEqual(await answer([1]), ['0.1']);
  t.deepEqual(await answer([1, 7]), ['0.9', '0.9']);
  t.like(imported.state, { state: 'serving', failures: 1, fallbackAnswers: 1 });
});

test('after three failures in a row the model is out of service until a trial succeeds', async (t) => {
  let isBroken = false;
  const { imported, changes, threads } = aMadeUpModel(async () => {
    if (isBroken) throw new RuntimeFailedError('predicts NaN', true);
    return 0.1;
  });
  t.teardown(imported.close);
  await imported.probe();
  const predict = () => imported.predict(new Map([['key', aRow(1)]]));
  isBroken = true;
  for (const _ of [1, 2]) await t.throwsAsync(predict());
  isBroken = false;
  await predict();
  isBroken = true;
  for (const _ of [1, 2]) await t.throwsAsync(predict());
  t.deepEqual(changes, []);
  await t.throwsAsync(predict());
  await imported.probe();
  t.deepEqual(changes, ['fallback']);
  isBroken = false;
  await imported.probe();
  t.deepEqual(changes, ['fallback', 'serving']);
  t.like(imported.state, { reason: 'predicts NaN', failures: 6 });
  t.is((await predict()).get('key')?.toFixed(1), '0.1');
  t.is(threads(), 1);
});

test('a crashed thread is replaced, and until the new one has loaded the model, calls fail at once', async (t) => {
  const { imported, changes, calls, threads } = aMadeUpModel(async (row, thread) => {
    if (row[0] === 1 && thread === 1) throw new RuntimeFailedError('its thread crashed', false);
    return 0.1;
  });
  t.teardown(imported.close);
  await imported.probe();
  const predict = () => imported.predict(new Map([['key', aRow(1)]]));
  await t.throwsAsync(predict(), { message: 'its thread crashed' });
  t.is(threads(), 2);
  await until('the new thread has loaded the model', async () =>
    predict().then(
      () => true,
      () => false,
    ),
  );
  t.deepEqual(changes, []);
  t.is(imported.state.failures, 1);
  t.true(calls.length > 2);
});

test('a model that does not load again is out of service', async (t) => {
  const { imported, changes } = aMadeUpModel(async (row, thread) => {
    if (row[0] === 1 || thread > 1) throw new RuntimeFailedError('its thread crashed', false);
    return 0.1;
  });
  t.teardown(imported.close);
  await imported.probe();
  await t.throwsAsync(imported.predict(new Map([['key', aRow(1)]])));
  await until('it is out of service', () => changes.length > 0);
  t.deepEqual(changes, ['fallback']);
});
