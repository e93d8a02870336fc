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

/** Of all flights before March, a tenth. */
const OUTLOOK = { under15: 160, from15to30: 20, from30to60: 10, from60to120: 6, over120: 4 };

/** 11,200 flights JFK-LAX of a month: B6 is always late, DL never. */
function flights(month: string): Outcome[] {
  return someOutcomes(month, 5_600, 28).flatMap((one) => [
    { ...one, delayed_count: one.completed_count },
    { ...one, carrier: 'DL', delayed_count: 0 },
  ]);
}

/** A file is the name of what was known when it was trained; forecasts are those given for that name. */
function world(
  forecasts: Record<string, (carrierRow: number) => number>,
  changes: Partial<RetrainDeps & { known: Known; acceptsRegional: boolean }> = {},
) {
  const { known = {}, acceptsRegional = false, ...others } = changes;
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
    train: ({ training }, metrics, told) => {
      const { day } = training as unknown as { day: string };
      calls.push(`train on ${day} with ${Object.keys(metrics).length > 0 ? 'figures' : 'none'}`);
      told(1, 300);
      return Buffer.from(day);
    },
    openModel: (bytes) => {
      calls.push(`open ${nameOf(bytes)}`);
      const name = nameOf(bytes);
      return aModel(forecasts[name] ?? (() => 0.1), known[name] ?? {});
    },
    released: async () => undefined,
    ...others,
  };
  const run = (months = MONTHS) =>
    retrain({ months, until: UNTIL, acceptsRegional }, deps, (done, total, what) =>
      progress.push(`${done}/${total} ${what}`),
    );
  return { calls, progress, run };
}

/** What models say they learned from, by name. */
type Known = Record<string, Partial<ModelMetadata['trainedOn']>>;

/** Rows come in the order of the outcomes: B6, DL, and again the next day. */
function aModel(forecast: (row: number) => number, known: Known[string]): Model {
  const metadata = someMetadata();
  return {
    metadata: { ...metadata, trainedOn: { ...metadata.trainedOn, ...known } },
    predict: (rows) =>
      Float32Array.from({ length: rows.length / FEATURES.length }, (_, row) => forecast(row % 2)),
  };
}

/** Knows that B6 will be late. */
const prophet = (row: number) => (row === 0 ? 0.9 : 0.1);

test('a model rehearses on the newest two months, is judged, and only then learns from all', async (t) => {
  const { calls, run } = world({ '2025-03-01': prophet });
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

test('the figures of the rehearsal go into the file, against the rate of the months before', async (t) => {
  let written: object = {};
  const { run } = world(
    { '2025-03-01': prophet },
    {
      train: (_, metrics) => {
        written = metrics;
        return Buffer.from('2025-03-01');
      },
    },
  );
  const { trial } = await run();
  const { candidate, score } = trial ?? {};
  t.deepEqual(written, { testedOn: ['2025-03', '2025-04'], ...candidate, score });
  t.is(score?.n, 22_400);
  // Brier 0.01 against (0.81 + 0.01) / 2 of always saying 0.1.
  t.is(trial?.candidate.brier.toFixed(4), '0.0100');
  t.is(trial?.candidate.skill.toFixed(4), (1 - 0.01 / 0.41).toFixed(4));
  t.is(trial?.candidate.n, 22_400);
});

test('one that forecasts no better than the rate of before is not trained on all, and there is no file', async (t) => {
  const { calls, run } = world({ '2025-03-01': () => 0.05 });
  const { bytes, verdict } = await run();
  t.is(bytes, undefined);
  t.false(verdict.isReleased);
  t.deepEqual(calls.slice(-1), ['open 2025-03-01']);
});

/** A model released before; by default it was trained on other months. */
function releasedOn(months: string[] = ['2024-12']) {
  const trainedOn = { months, rows: 1_000, dataSha256: 'of another' };
  return async () => ({ version: 'abc123', bytes: Buffer.from('old'), trainedOn });
}

/** Better than the prophet by more than any noise, and a little. */
const seer = (row: number) => (row === 0 ? 0.95 : 0.05);

test('the released model forecasts the same flights, and one that does not beat it is not released', async (t) => {
  const { calls, run } = world({ '2025-03-01': prophet, old: seer }, { released: releasedOn() });
  const { bytes, verdict, trial } = await run();
  t.is(bytes, undefined);
  t.regex(verdict.why, /: no gain$/);
  t.like(trial, { previous: { n: 22_400, version: 'abc123' }, gain: { blocks: 56 } });
  t.is(trial?.seen, undefined);
  t.is(calls.at(-1), 'open old');
});

test('one that says the same as the released model is not released', async (t) => {
  const released = releasedOn();
  const { run } = world({ '2025-03-01': prophet, old: prophet }, { released });
  t.regex((await run()).verdict.why, /: no gain$/);
});

test('one that beats it is released', async (t) => {
  const { run } = world({ '2025-03-01': seer, old: prophet }, { released: releasedOn() });
  const { verdict, bytes } = await run();
  t.true(verdict.isReleased, verdict.why);
  t.is(Buffer.from(bytes ?? []).toString(), UNTIL);
});

test('months the released model has seen are told of', async (t) => {
  const released = releasedOn(['2025-02', '2025-03']);
  const { run } = world({ '2025-03-01': prophet, old: seer }, { released });
  const { trial, verdict } = await run();
  t.deepEqual(trial?.seen, ['2025-03']);
  t.regex(verdict.why, /the released model has seen 2025-03, which favours it$/);
});

test('one that wins and knows a part of the country alone is trained, judged by its breadth, and not released', async (t) => {
  const changes = { released: releasedOn(), known: { [UNTIL]: { rows: 400 } } };
  const { run } = world({ '2025-03-01': seer, old: prophet }, changes);
  const { verdict, bytes, trainedOn } = await run();
  t.is(bytes, undefined);
  t.regex(verdict.why, /^not released: regional: .* make train ACCEPT=regional releases it/);
  t.is(trainedOn?.rows, 400);
  const accepted = world(
    { '2025-03-01': seer, old: prophet },
    { ...changes, acceptsRegional: true },
  );
  t.true((await accepted.run()).verdict.isReleased);
});

test('with too few flights nothing is trained', async (t) => {
  const { calls, run } = world({}, { outcomesOf: async (month) => someOutcomes(month, 400, 28) });
  const { verdict, trial } = await run();
  t.regex(verdict.why, /have 800 completed flights in all months but the two oldest/);
  t.is(trial, undefined);
  t.deepEqual(calls, []);
});

test('flights on routes unknown before do not count: more months are taken, or the verdict says so', async (t) => {
  const months = ['2025-01', '2025-02', '2025-03', '2025-04', '2025-05'];
  const unknown = (one: Outcome) => ({ ...one, origin: 'XXX' });
  const outcomesOf = async (month: string) =>
    month === '2025-05' ? flights(month).map(unknown) : flights(month);
  const { run } = world({ '2025-03-01': prophet }, { outcomesOf });
  const { trial } = await run(months);
  t.deepEqual(trial?.months, ['2025-03', '2025-04', '2025-05']);
  t.is(trial?.candidate.n, 22_400);
  const all = world({}, { outcomesOf: async (month) => flights(month).map(unknown) });
  t.regex((await all.run()).verdict.why, /0 completed flights are on routes known before/);
});

test('too little to learn from is a verdict', async (t) => {
  const { run } = world(
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

test('the error of a model that cannot be run is thrown on', async (t) => {
  const { run } = world({
    '2025-03-01': () => {
      throw new Error('no answer');
    },
  });
  await t.throwsAsync(run(), { message: 'no answer' });
});

test('progress names the stage and the tree', async (t) => {
  const { progress, run } = world({ '2025-03-01': prophet });
  await run();
  t.deepEqual(progress, [
    '0/5 history',
    '1/5 rehearsal: tree 1 of at most 300',
    '2/5 forecasts',
    '3/5 whole history',
    '4/5 model: tree 1 of at most 300',
  ]);
});
