import { readFileSync } from 'node:fs';
import test from 'ava';
import { featureContract } from '../../../models/features.ts';
import { ModelWithdrawnError } from '../../../pipelines/errors.ts';
import { findModel, type FoundModel } from '../../../pipelines/model/released.ts';
import type { Retrained } from '../../../pipelines/model/retrain.ts';
import {
  isTrainingDue,
  train,
  type TrainingDeps,
  type TrainReport,
} from '../../../pipelines/model/train-step.ts';
import type { Trial } from '../../../pipelines/model/trial.ts';
import { historySha256 } from '../../../warehouse/lake/history.ts';
import { sha256 } from '../../../warehouse/ground/sha256.ts';

const silent = () => undefined;

const HISTORY = {
  months: ['2018-01', '2018-02', '2018-03', '2018-04'],
  rows: 400,
  sha256: 'of this history',
};
const LEARNED = {
  months: HISTORY.months,
  dataSha256: HISTORY.sha256,
  rows: HISTORY.rows,
  contract: featureContract(),
};
const trial: Trial = { months: ['2018-03', '2018-04'], candidate: {} as Trial['candidate'] };

/** The model in use; it was trained on the history of that hash. */
function inUse(dataSha256: string): FoundModel {
  return {
    model: {
      version: 'abc123',
      bytes: new Uint8Array(),
      contract: featureContract(),
      origin: 'released',
      trainedOn: { months: [], rows: 1, dataSha256 },
    },
  };
}

function world(retrained: Retrained, changes: Partial<TrainingDeps> = {}) {
  const released: object[] = [];
  const deps: TrainingDeps = {
    lakeHistory: async () => HISTORY,
    retrain: async () => retrained,
    release: async (model) => {
      released.push(model);
      return 'def456';
    },
    releasedModel: async () => inUse('of another'),
    lastReport: async () => undefined,
    now: () => new Date('2026-11-22T02:30:00Z'),
    ...changes,
  };
  return { deps, released };
}

test('a model that earned it is released, with its rehearsal as its card', async (t) => {
  const verdict = { isReleased: true, why: 'released: it beats' };
  const bytes = Buffer.from('model');
  const { deps, released } = world({ bytes, verdict, trial });
  t.deepEqual(await train({}, deps, silent), { ...verdict, ...LEARNED, trial, version: 'def456' });
  t.deepEqual(released, [
    { bytes, card: { ...verdict, trial, releasedAt: '2026-11-22T02:30:00.000Z' } },
  ]);
});

test('one that did not is reported, and nothing is released', async (t) => {
  const verdict = { isReleased: false, why: 'not released: no skill' };
  const { deps, released } = world({ verdict, trial });
  t.deepEqual(await train({}, deps, silent), { ...verdict, ...LEARNED, trial });
  t.deepEqual(released, []);
});

test('when the model in use knows the same history already, the report says so', async (t) => {
  const { deps } = world(
    { verdict: { isReleased: false, why: 'not released: no better' }, trial },
    { releasedModel: async () => inUse(HISTORY.sha256) },
  );
  t.is(
    (await train({}, deps, silent)).why,
    'not released: no better; abc123 was trained on this same history',
  );
});

test('what it learned from is reported, released or not', async (t) => {
  const coverage = {
    first: '2018-01',
    last: '2018-04',
    flights: 9,
    airports: 3,
    carriers: 2,
    routes: 4,
  };
  const trainedOn = { months: HISTORY.months, rows: 9, dataSha256: HISTORY.sha256, coverage };
  const verdict = { isReleased: false, why: 'not released: no gain' };
  const { deps } = world({ verdict, trial, trainedOn });
  t.deepEqual(await train({}, deps, silent), { ...verdict, ...LEARNED, trial, coverage });
});

test('that a regional model is accepted reaches the training', async (t) => {
  const asked: object[] = [];
  const { deps } = world({ verdict: { isReleased: false, why: '' } });
  const retrain: TrainingDeps['retrain'] = async (history, request, progress) => {
    asked.push(request);
    return deps.retrain(history, request, progress);
  };
  await train({ acceptsRegional: true }, { ...deps, retrain }, silent);
  t.deepEqual(asked, [{ acceptsRegional: true }]);
});

test('what comes out as a model that was rolled back from is not released, and the report says how to get it', async (t) => {
  const verdict = { isReleased: true, why: 'released: it beats' };
  const release = () => Promise.reject(new ModelWithdrawnError('def456'));
  const { deps } = world({ bytes: Buffer.from('model'), verdict, trial }, { release });
  t.deepEqual(await train({}, deps, silent), {
    ...LEARNED,
    trial,
    isReleased: false,
    why: 'not released: what came of it is def456, which was rolled back from; make model-rollback VERSION=def456 brings it back',
  });
});

test('with too few months nothing is trained, and the report says how many are needed', async (t) => {
  const { deps } = world(
    { verdict: { isReleased: true, why: '' } },
    {
      lakeHistory: async () => ({ ...HISTORY, months: ['2018-01', '2018-02', '2018-03'] }),
      retrain: () => Promise.reject(new Error('trained')),
    },
  );
  t.is(
    (await train({}, deps, silent)).why,
    'not released: 3 months in the lake, and 4 are needed: make ingest FILE=…',
  );
});

/** Whether a training is due, where by default it is. */
async function isDue(changes: Partial<TrainingDeps> = {}): Promise<boolean> {
  return isTrainingDue({ ...world({ verdict: { isReleased: true, why: '' } }).deps, ...changes });
}

const report: TrainReport = { isReleased: false, why: '', ...LEARNED };

test('a training is due when the model in use knows another history, or there is none', async (t) => {
  t.true(await isDue());
  t.true(await isDue({ releasedModel: async () => ({}) }));
  t.false(await isDue({ releasedModel: async () => inUse(HISTORY.sha256) }));
});

test('a history that was trained on is not trained on again, unless for other features', async (t) => {
  t.false(await isDue({ lastReport: async () => report }));
  t.true(await isDue({ lastReport: async () => ({ ...report, dataSha256: 'of another' }) }));
  t.true(await isDue({ lastReport: async () => ({ ...report, contract: 'other' }) }));
});

test('after a refusal a training is due again with the next month, and not before', async (t) => {
  const refused = { ...report, isReleased: false, why: 'not released: no gain' };
  const lastReport = async () => refused;
  t.false(await isDue({ lastReport }));
  const next = { ...HISTORY, months: [...HISTORY.months, '2018-05'], sha256: 'with another month' };
  t.true(await isDue({ lastReport, lakeHistory: async () => next }));
});

test('with too few months no training is due', async (t) => {
  t.false(await isDue({ lakeHistory: async () => ({ ...HISTORY, months: ['2018-01'] }) }));
});

test('the bundled model knows the seed, so that a first start trains nothing', async (t) => {
  const seed = readFileSync(
    new URL('../../../warehouse/seed/route_hours.parquet', import.meta.url),
  );
  const { model } = await findModel('/nonexistent');
  t.is(model?.origin, 'bundled');
  const source = sha256(seed);
  const months = (model?.trainedOn.months ?? []).map((month) => ({ month, source }));
  t.is(months.length, 34);
  t.is(model?.trainedOn.dataSha256, historySha256(months));
});
