import test from 'ava';
import type { Model } from '../../../models/onnx/session.ts';
import { FEATURES } from '../../../models/features.ts';
import { retrain, type RetrainDeps } from '../../../pipelines/model/retrain.ts';
import { TooLittleHistoryError } from '../../../pipelines/model/train.ts';
import type { Knowledge, Outcome } from '../../../warehouse/build/as-of.ts';
import { someMetadata } from '../../models/helpers/model.ts';
import { aStore } from '../../helpers/store.ts';

const MONTHS = ['2025-01', '2025-02', '2025-03', '2025-04'];
const UNTIL = '2025-05-01';

/** Of all flights before March, a tenth. */
const OUTLOOK = { under15: 160, from15to30: 20, from30to60: 10, from60to120: 6, over120: 4 };

/** Flights JFK-LAX from March on: B6 is always late, DL never. */
function flights(from: string): Outcome[] {
  const group = (carrier: string, delayed_count: number): Outcome => ({
    origin: 'JFK',
    dest: 'LAX',
    carrier,
    flight_date: from,
    local_hour: 8,
    completed_count: 100,
    delayed_count,
    cancelled_count: 0,
  });
  return [group('B6', 100), group('DL', 0)];
}

/** A file is the name of what was known when it was trained; forecasts are those given for that name. */
function world(
  forecasts: Record<string, (carrierRow: number) => number>,
  changes: Partial<RetrainDeps> = {},
) {
  const calls: string[] = [];
  const progress: string[] = [];
  const nameOf = (bytes: Uint8Array) => Buffer.from(bytes).toString();
  const deps: RetrainDeps = {
    knowledgeAsOf: async (day) => {
      calls.push(`known on ${day}`);
      return { store: {}, training: { day, outlook: OUTLOOK } } as unknown as Knowledge;
    },
    outcomesOf: async (from, until) => {
      calls.push(`flights from ${from} until ${until}`);
      return flights(from);
    },
    openStore: () => aStore(),
    train: ({ training }, metrics, told) => {
      const { day } = training as unknown as { day: string };
      calls.push(`train on ${day} with ${Object.keys(metrics).length > 0 ? 'figures' : 'none'}`);
      told(1, 300);
      return Buffer.from(day);
    },
    openModel: async (bytes) => {
      calls.push(`open ${nameOf(bytes)}`);
      return aModel(forecasts[nameOf(bytes)] ?? (() => 0.1), () =>
        calls.push(`close ${nameOf(bytes)}`),
      );
    },
    released: async () => undefined,
    ...changes,
  };
  const run = () =>
    retrain(MONTHS, UNTIL, deps, (done, total, what) => progress.push(`${done}/${total} ${what}`));
  return { calls, progress, run };
}

/** Rows come in the order of the outcomes: B6, DL. */
function aModel(forecast: (row: number) => number, closed: () => void): Model {
  return {
    metadata: someMetadata(),
    predict: async () => 0,
    predictMany: async (rows) =>
      Float32Array.from({ length: rows.length / FEATURES.length }, (_, row) => forecast(row)),
    close: async () => closed(),
  };
}

/** Knows that B6 will be late. */
const prophet = (row: number) => (row === 0 ? 0.9 : 0.1);

test('a model rehearses on the newest two months, is judged, and only then learns from all', async (t) => {
  const { calls, run } = world({ '2025-03-01': prophet });
  const { bytes, verdict, trial } = await run();
  t.deepEqual(calls, [
    'known on 2025-03-01',
    'train on 2025-03-01 with none',
    'flights from 2025-03-01 until 2025-05-01',
    'open 2025-03-01',
    'close 2025-03-01',
    'known on 2025-05-01',
    'train on 2025-05-01 with figures',
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
  t.deepEqual(written, { testedOn: ['2025-03', '2025-04'], ...trial?.candidate });
  // Brier 0.01 against (0.81 + 0.01) / 2 of always saying 0.1.
  t.is(trial?.candidate.brier.toFixed(4), '0.0100');
  t.is(trial?.candidate.skill.toFixed(4), (1 - 0.01 / 0.41).toFixed(4));
  t.is(trial?.candidate.n, 200);
});

test('no flights are read but those it is rehearsed on, for years of them are more than memory holds', async (t) => {
  const asked: string[] = [];
  const outcomesOf = async (from: string, until: string) => {
    asked.push(`${from} to ${until}`);
    return flights(from);
  };
  await world({ '2025-03-01': prophet }, { outcomesOf }).run();
  t.deepEqual(asked, ['2025-03-01 to 2025-05-01']);
});

test('one that forecasts no better than the rate of before is not trained on all, and there is no file', async (t) => {
  const { calls, run } = world({ '2025-03-01': () => 0.05 });
  const { bytes, verdict } = await run();
  t.is(bytes, undefined);
  t.false(verdict.isReleased);
  t.deepEqual(calls.slice(-1), ['close 2025-03-01']);
});

test('the released model forecasts the same flights, and one that it beats is not released', async (t) => {
  const better = (row: number) => (row === 0 ? 0.95 : 0.05);
  const released = async () => Buffer.from('old');
  const { calls, run } = world({ '2025-03-01': prophet, old: better }, { released });
  const { bytes, verdict, trial } = await run();
  t.is(bytes, undefined);
  t.regex(verdict.why, /does not beat the released model's/);
  t.is(trial?.previous?.n, 200);
  t.deepEqual(calls.slice(-2), ['open old', 'close old']);
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

test('a model that cannot be run is closed, and its error thrown on', async (t) => {
  const { calls, run } = world({
    '2025-03-01': () => {
      throw new Error('no answer');
    },
  });
  await t.throwsAsync(run(), { message: 'no answer' });
  t.is(calls.at(-1), 'close 2025-03-01');
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
