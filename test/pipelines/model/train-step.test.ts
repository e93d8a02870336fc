import { readFileSync } from 'node:fs';
import test from 'ava';
import { featureContract } from '../../../models/features.ts';
import { ModelWithdrawnError } from '../../../pipelines/errors.ts';
import { findModel, type ModelLookup } from '../../../pipelines/model/released-model.ts';
import type { Retrained } from '../../../pipelines/model/retrain.ts';
import {
  isTrainingDue,
  train,
  type TrainingDeps,
  type TrainReport,
} from '../../../pipelines/model/train-step.ts';
import type { Trial } from '../../../pipelines/model/trial.ts';
import { historySha256 } from '../../../warehouse/lake/history.ts';
import { sha256 } from '../../../warehouse/ground/hashes.ts';

const noProgress = () => undefined;

const HISTORY = {
  months: ['2018-01', '2018-02', '2018-03', '2018-04'],
  rows: 400,
  sha256: 'of this history',
};
const HISTORY_FACTS = {
  months: HISTORY.months,
  dataSha256: HISTORY.sha256,
  rows: HISTORY.rows,
  contract: featureContract(),
};
const trial: Trial = { months: ['2018-03', '2018-04'], candidate: {} as Trial['candidate'] };

/** The current model, trained on the history with this hash. */
function currentModel(dataSha256: string): ModelLookup {
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

function setUp(retrained: Retrained, changes: Partial<TrainingDeps> = {}) {
  const released: object[] = [];
  const deps: TrainingDeps = {
    lakeHistory: async () => HISTORY,
    retrain: async () => retrained,
    release: async (model) => {
      released.push(model);
      return 'def456';
    },
    releasedModel: async () => currentModel('of another'),
    lastReport: async () => undefined,
    now: () => new Date('2026-11-22T02:30:00Z'),
    ...changes,
  };
  return { deps, released };
}

test('a model that passed is released, with its rehearsal as its card', async (t) => {
  const verdict = { isReleased: true, why: 'released: it beats' };
  const bytes = Buffer.from('model');
  const { deps, released } = setUp({ bytes, verdict, trial });
  t.deepEqual(await train({}, deps, noProgress), {
    ...verdict,
    ...HISTORY_FACTS,
    trial,
    version: 'def456',
  });
  t.deepEqual(released, [
    { bytes, card: { ...verdict, trial, releasedAt: '2026-11-22T02:30:00.000Z' } },
  ]);
});

test('a model that did not pass is reported, and nothing is released', async (t) => {
  const verdict = { isReleased: false, why: 'not released: no skill' };
  const { deps, released } = setUp({ verdict, trial });
  t.deepEqual(await train({}, deps, noProgress), { ...verdict, ...HISTORY_FACTS, trial });
  t.deepEqual(released, []);
});

test('the report states when the current model was trained on the same history', async (t) => {
  const { deps } = setUp(
    { verdict: { isReleased: false, why: 'not released: no better' }, trial },
    { releasedModel: async () => currentModel(HISTORY.sha256) },
  );
  t.is(
    (await train({}, deps, noProgress)).why,
    'not released: no better; the released model abc123 was trained on the same history',
  );
});

test('the coverage of the training data is reported, whether or not the model is released', async (t) => {
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
  const { deps } = setUp({ verdict, trial, trainedOn });
  t.deepEqual(await train({}, deps, noProgress), { ...verdict, ...HISTORY_FACTS, trial, coverage });
});

test('the acceptance of regional models is passed to the training', async (t) => {
  const requests: object[] = [];
  const { deps } = setUp({ verdict: { isReleased: false, why: '' } });
  const retrain: TrainingDeps['retrain'] = async (history, request, progress) => {
    requests.push(request);
    return deps.retrain(history, request, progress);
  };
  await train({ acceptsRegional: true }, { ...deps, retrain }, noProgress);
  t.deepEqual(requests, [{ acceptsRegional: true }]);
});

test('a model equal to a withdrawn one is not released, and the report names the command to restore it', async (t) => {
  const verdict = { isReleased: true, why: 'released: it beats' };
  const release = () => Promise.reject(new ModelWithdrawnError('def456'));
  const { deps } = setUp({ bytes: Buffer.from('model'), verdict, trial }, { release });
  t.deepEqual(await train({}, deps, noProgress), {
    ...HISTORY_FACTS,
    trial,
    isReleased: false,
    why: 'not released: the training produced def456, which a rollback withdrew; to release it, run make model-rollback VERSION=def456',
  });
});

test('with too few months nothing is trained, and the report states how many are needed', async (t) => {
  const { deps } = setUp(
    { verdict: { isReleased: true, why: '' } },
    {
      lakeHistory: async () => ({ ...HISTORY, months: ['2018-01', '2018-02', '2018-03'] }),
      retrain: () => Promise.reject(new Error('trained')),
    },
  );
  t.is(
    (await train({}, deps, noProgress)).why,
    'not released: the lake has 3 months, but 4 are needed: make ingest FILE=…',
  );
});

/** Whether a training is due; by default it is. */
async function isDue(changes: Partial<TrainingDeps> = {}): Promise<boolean> {
  return isTrainingDue({ ...setUp({ verdict: { isReleased: true, why: '' } }).deps, ...changes });
}

const report: TrainReport = { isReleased: false, why: '', ...HISTORY_FACTS };

test('a training is due when the current model was trained on another history, or when there is no model', async (t) => {
  t.true(await isDue());
  t.true(await isDue({ releasedModel: async () => ({}) }));
  t.false(await isDue({ releasedModel: async () => currentModel(HISTORY.sha256) }));
});

test('a history is trained on only once, unless the features change', async (t) => {
  t.false(await isDue({ lastReport: async () => report }));
  t.true(await isDue({ lastReport: async () => ({ ...report, dataSha256: 'of another' }) }));
  t.true(await isDue({ lastReport: async () => ({ ...report, contract: 'other' }) }));
});

test('after a refusal a training is due again with the next month, not before', async (t) => {
  const refused = { ...report, isReleased: false, why: 'not released: no gain' };
  const lastReport = async () => refused;
  t.false(await isDue({ lastReport }));
  const next = { ...HISTORY, months: [...HISTORY.months, '2018-05'], sha256: 'with another month' };
  t.true(await isDue({ lastReport, lakeHistory: async () => next }));
});

test('with too few months no training is due', async (t) => {
  t.false(await isDue({ lakeHistory: async () => ({ ...HISTORY, months: ['2018-01'] }) }));
});

test('a first start trains no model, because the bundled model was trained on the seed', async (t) => {
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
