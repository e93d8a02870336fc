import test from 'ava';
import type { Model } from '../../../models/onnx/model.ts';
import { FEATURES } from '../../../models/features.ts';
import type { ModelMetadata } from '../../../models/onnx/metadata.ts';
import { retrain, type RetrainDeps } from '../../../pipelines/model/retrain.ts';
import { TooLittleHistoryError } from '../../../pipelines/model/train-model.ts';
import type { Knowledge, Outcome } from '../../../warehouse/build/as-of.ts';
import { someMetadata } from '../../models/helpers/model.ts';
import { aStore } from '../../helpers/store.ts';
import { someOutcomes } from './helpers/outcomes.ts';

const MONTHS = ['2025-01', '2025-02', '2025-03', '2025-04'];
const UNTIL = '2025-05-01';

/** A tenth of all flights before March is late. */
const OUTLOOK = { under15: 160, from15to30: 20, from30to60: 10, from60to120: 6, over120: 4 };

/** 11,200 flights from JFK to LAX in one month: B6 is always late, DL never. */
function flights(month: string): Outcome[] {
  return someOutcomes(month, 5_600, 28).flatMap((one) => [
    { ...one, delayed_count: one.completed_count },
    { ...one, carrier: 'DL', delayed_count: 0 },
  ]);
}

/**
 * Prepares a retraining with fakes. A model file contains only the day of its training data. `forecasts` has a forecast
 * for each such day.
 */
function setUp(
  forecasts: Record<string, (carrierRow: number) => number>,
  changes: Partial<
    RetrainDeps & { trainedOnByModel: TrainedOnByModel; acceptsRegional: boolean }
  > = {},
) {
  const { trainedOnByModel = {}, acceptsRegional = false, ...depChanges } = changes;
  const calls: string[] = [];
  const progress: string[] = [];
  const nameOf = (bytes: Uint8Array) => Buffer.from(bytes).toString();
  const deps: RetrainDeps = {
    knowledgeAsOf: async (day) => {
      calls.push(`known on ${day}`);
      return { store: {}, training: { day, outlook: OUTLOOK } } as unknown as Knowledge;
    },
    outcomesOf: async (month) => {
      calls.push(`flights of ${month}`);
      return flights(month);
    },
    openStore: () => aStore(),
    train: ({ training }, metrics, progress) => {
      const { day } = training as unknown as { day: string };
      calls.push(`train on ${day} with ${Object.keys(metrics).length > 0 ? 'figures' : 'none'}`);
      progress(1, 300);
      return Buffer.from(day);
    },
    openModel: (bytes) => {
      calls.push(`open ${nameOf(bytes)}`);
      const name = nameOf(bytes);
      return aModel(forecasts[name] ?? (() => 0.1), trainedOnByModel[name] ?? {});
    },
    describeDisagreement: () => undefined,
    released: async () => undefined,
    ...depChanges,
  };
  const run = (months = MONTHS) =>
    retrain({ months, until: UNTIL, acceptsRegional }, deps, (done, total, label) =>
      progress.push(`${done}/${total} ${label}`),
    );
  return { calls, progress, run };
}

/** Training data of the models, by name. */
type TrainedOnByModel = Record<string, Partial<ModelMetadata['trainedOn']>>;

/** Creates a model. Its rows have the order of the outcomes: first B6, then DL, and again on the next day. */
function aModel(forecast: (row: number) => number, trainedOn: TrainedOnByModel[string]): Model {
  const metadata = someMetadata();
  return {
    metadata: { ...metadata, trainedOn: { ...metadata.trainedOn, ...trainedOn } },
    predict: (rows) =>
      Float32Array.from({ length: rows.length / FEATURES.length }, (_, row) => forecast(row % 2)),
  };
}

/** Expects B6 to be late. */
const goodForecast = (row: number) => (row === 0 ? 0.9 : 0.1);

test('a model is rehearsed on the newest two months and judged, and only then trained on the whole history', async (t) => {
  const { calls, run } = setUp({ '2025-03-01': goodForecast });
  const { bytes, verdict, trial } = await run();
  t.deepEqual(calls, [
    'flights of 2025-04',
    'flights of 2025-03',
    'known on 2025-03-01',
    'train on 2025-03-01 with none',
    'open 2025-03-01',
    'known on 2025-05-01',
    'train on 2025-05-01 with figures',
    'open 2025-05-01',
  ]);
  t.true(verdict.isReleased, verdict.why);
  t.is(Buffer.from(bytes ?? []).toString(), UNTIL);
  t.deepEqual(trial?.months, ['2025-03', '2025-04']);
  t.is(trial?.previous, undefined);
});

test('the figures of the rehearsal are stored in the file, with skill against the rate of the months before', async (t) => {
  let storedMetrics: object = {};
  const { run } = setUp(
    { '2025-03-01': goodForecast },
    {
      train: (_, metrics) => {
        storedMetrics = metrics;
        return Buffer.from('2025-03-01');
      },
    },
  );
  const { trial } = await run();
  const { candidate, score, distribution } = trial ?? {};
  t.deepEqual(storedMetrics, {
    testedOn: ['2025-03', '2025-04'],
    ...candidate,
    score,
    distribution,
  });
  t.is(score?.n, 22_400);
  // The Brier score is 0.01. A constant forecast of 0.1 would have (0.81 + 0.01) / 2.
  t.is(trial?.candidate.brier.toFixed(4), '0.0100');
  t.is(trial?.candidate.skill.toFixed(4), (1 - 0.01 / 0.41).toFixed(4));
  t.is(trial?.candidate.n, 22_400);
});

test('a model no better than the earlier rate is not trained on the whole history, and no file is returned', async (t) => {
  const { calls, run } = setUp({ '2025-03-01': () => 0.05 });
  const { bytes, verdict } = await run();
  t.is(bytes, undefined);
  t.false(verdict.isReleased);
  t.deepEqual(calls.slice(-1), ['open 2025-03-01']);
});

/** A released model; by default it was trained on other months. */
function releasedOn(months: string[] = ['2024-12']) {
  const trainedOn = { months, rows: 1_000, dataSha256: 'of another' };
  return async () => ({ version: 'abc123', bytes: Buffer.from('old'), trainedOn });
}

/** Better than `goodForecast` by more than the noise. */
const betterForecast = (row: number) => (row === 0 ? 0.95 : 0.05);

test('the released model forecasts the same flights, and a candidate that does not beat it is not released', async (t) => {
  const { calls, run } = setUp(
    { '2025-03-01': goodForecast, old: betterForecast },
    { released: releasedOn() },
  );
  const { bytes, verdict, trial } = await run();
  t.is(bytes, undefined);
  t.regex(verdict.why, /: no gain$/);
  t.like(trial, { previous: { n: 22_400, version: 'abc123' }, gain: { blocks: 56 } });
  t.is(trial?.seen, undefined);
  t.is(calls.at(-1), 'open old');
});

test('a candidate equal to the released model is not released', async (t) => {
  const released = releasedOn();
  const { run } = setUp({ '2025-03-01': goodForecast, old: goodForecast }, { released });
  t.regex((await run()).verdict.why, /: no gain$/);
});

test('a candidate that beats the released model is released', async (t) => {
  const { run } = setUp(
    { '2025-03-01': betterForecast, old: goodForecast },
    { released: releasedOn() },
  );
  const { verdict, bytes } = await run();
  t.true(verdict.isReleased, verdict.why);
  t.is(Buffer.from(bytes ?? []).toString(), UNTIL);
});

test('the verdict names the rehearsal months that the released model was trained on', async (t) => {
  const released = releasedOn(['2025-02', '2025-03']);
  const { run } = setUp({ '2025-03-01': goodForecast, old: betterForecast }, { released });
  const { trial, verdict } = await run();
  t.deepEqual(trial?.seen, ['2025-03']);
  t.regex(verdict.why, /the released model was trained on 2025-03, which favours it$/);
});

test('a winner trained on part of the country is not released, unless regional models are accepted', async (t) => {
  const changes = { released: releasedOn(), trainedOnByModel: { [UNTIL]: { rows: 400 } } };
  const { run } = setUp({ '2025-03-01': betterForecast, old: goodForecast }, changes);
  const { verdict, bytes, trainedOn } = await run();
  t.is(bytes, undefined);
  t.regex(
    verdict.why,
    /^not released: regional: .* To release it anyway: make train ACCEPT=regional$/,
  );
  t.is(trainedOn?.rows, 400);
  const accepted = setUp(
    { '2025-03-01': betterForecast, old: goodForecast },
    { ...changes, acceptsRegional: true },
  );
  t.true((await accepted.run()).verdict.isReleased);
});

test('with too few flights nothing is trained', async (t) => {
  const { calls, run } = setUp({}, { outcomesOf: async (month) => someOutcomes(month, 400, 28) });
  const { verdict, trial } = await run();
  t.regex(
    verdict.why,
    /\(all months except the two oldest\) have 800 completed flights, and the test needs 20,000/,
  );
  t.is(trial, undefined);
  t.deepEqual(calls, []);
});

test('flights on routes without earlier history do not count: more months are added, or the model is refused', async (t) => {
  const months = ['2025-01', '2025-02', '2025-03', '2025-04', '2025-05'];
  const onUnknownRoute = (one: Outcome) => ({ ...one, origin: 'XXX' });
  const outcomesOf = async (month: string) =>
    month === '2025-05' ? flights(month).map(onUnknownRoute) : flights(month);
  const { run } = setUp({ '2025-03-01': goodForecast }, { outcomesOf });
  const { trial } = await run(months);
  t.deepEqual(trial?.months, ['2025-03', '2025-04', '2025-05']);
  t.is(trial?.candidate.n, 22_400);
  const all = setUp({}, { outcomesOf: async (month) => flights(month).map(onUnknownRoute) });
  t.regex((await all.run()).verdict.why, /have 0 completed flights on routes with earlier history/);
});

test('a history too short to train on gives a verdict, not an error', async (t) => {
  const { run } = setUp(
    {},
    {
      train: () => {
        throw new TooLittleHistoryError('7 delayed flights in 2 months are too few');
      },
    },
  );
  t.deepEqual(await run(), {
    verdict: {
      isReleased: false,
      why: 'not released: 7 delayed flights in 2 months are too few',
    },
  });
});

test('an error of a model that cannot run is thrown', async (t) => {
  const { run } = setUp({
    '2025-03-01': () => {
      throw new Error('no answer');
    },
  });
  await t.throwsAsync(run(), { message: 'no answer' });
});

test('progress names the stage and the tree', async (t) => {
  const { progress, run } = setUp({ '2025-03-01': goodForecast });
  await run();
  t.deepEqual(progress, [
    '0/5 history: started',
    '1/5 rehearsal: tree 1 of at most 300',
    '2/5 forecasts: started',
    '3/5 whole history: started',
    '4/5 model: tree 1 of at most 300',
  ]);
});

test('a model that disagrees with ONNX Runtime is not released', async (t) => {
  const { run } = setUp(
    { '2025-03-01': goodForecast },
    { describeDisagreement: () => 'its probabilities differ' },
  );
  const { bytes, verdict, trial } = await run();
  t.is(bytes, undefined);
  t.regex(verdict.why, /^not released: its probabilities differ, although on 22,400 flights of /);
  t.deepEqual(trial?.months, ['2025-03', '2025-04']);
});
