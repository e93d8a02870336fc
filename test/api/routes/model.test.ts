import test from 'ava';
import { modelBodyOf } from '../../../api/presenters/model-body.ts';
import { accuracyStateOf } from '../../../api/presenters/record-accuracy.ts';
import { modelBody } from '../../../api/schemas/model.ts';
import { FEATURES } from '../../../models/features.ts';
import { aStore } from '../../helpers/store.ts';
import { CURRENT_CONTRACT, someMetadata } from '../../models/helpers/model.ts';
import { anApi, fakeKeys, SOME_KEY } from '../helpers/app.ts';
import { aModel, modelsWith } from '../helpers/model.ts';

const URL = `/api/model?api_key=${SOME_KEY}`;

const ENTRY = {
  file: 'model.onnx',
  version: '0123456789ab',
  bytes: 1,
  sha256: '01',
  contract: CURRENT_CONTRACT.contract,
};

test('the card has the training data and the quality of the model, and is not counted', async (t) => {
  const { model } = aModel();
  const store = aStore({ manifest: { model: ENTRY } });
  const keys = fakeKeys();
  const call = anApi({ keys, models: modelsWith(model), stores: { current: () => store } });
  const { status, headers, body } = await call(URL);
  t.is(status, 200);
  t.notThrows(() => modelBody.parse(body));
  t.is(headers['x-store-version'], store.manifest.version);
  t.is(keys.counted, 0);
  t.deepEqual(body, {
    version: '0123456789ab',
    contract: CURRENT_CONTRACT.contract,
    features: FEATURES.map(({ name, unit, what }) => ({ name, unit, what })),
    trained_on: {
      months: ['2025-01', '2025-02'],
      rows: 1000,
      data_sha256: 'ab'.repeat(32),
      coverage: null,
    },
    seed: 1,
    code_version: '0.1.0',
    created_at: null,
    imported: null,
    metrics: { auc: 0.66, brierSkill: 0.03 },
    score_reliability: null,
    distribution_reliability: null,
    outlook_shares: {
      under_15: 0.9,
      from_15_to_30: 0.1,
      from_30_to_60: 0.5,
      from_60_to_120: 0.3,
      over_120: 0.2,
    },
    providers: [],
  });
});

test('the card has the coverage of its training set and of its test set', async (t) => {
  const [learned, tested] = [
    { airports: 300, carriers: 16, routes: 5000 },
    { airports: 20, carriers: 12, routes: 380 },
  ];
  const plain = someMetadata();
  const band = { label: 'Low', n: 9, share: 1, disrupted: 0.1 };
  const score = { n: 9, disrupted: 0.1, bands: [band], tenths: [], byConfidence: [] };
  const month = { month: '2025-02', n: 9, disrupted: 0.1, bands: [band] };
  const metadata = someMetadata({
    trainedOn: {
      ...plain.trainedOn,
      coverage: { first: '2025-01', last: '2025-02', flights: 9000, ...learned },
    },
    metrics: { testedOn: ['2025-02'], score: { ...score, coverage: tested, byMonth: [month] } },
  });
  const { trained_on, score_reliability } = modelBodyOf(metadata, 'v', { parts: [] });
  t.deepEqual(trained_on.coverage, {
    first_month: '2025-01',
    last_month: '2025-02',
    flights: 9000,
    airports: 300,
    airlines: 16,
    routes: 5000,
  });
  t.deepEqual(score_reliability?.coverage, { airports: 20, airlines: 12, routes: 380 });
  const older = modelBodyOf({ ...metadata, metrics: { score } }, 'v', { parts: [] });
  t.is(older.score_reliability?.coverage, null);
  t.like(score_reliability?.by_month, [{ month: '2025-02', flights: 9, disrupted: 0.1 }]);
  t.is(older.score_reliability?.by_month, null);
});

/** A record of Hong Kong with this accuracy in its manifest. */
function aRecord(accuracy?: unknown) {
  const manifest = { provider: 'hkia', title: 'Hong Kong', attribution: 'HKIA' };
  return aStore({ manifest: { ...manifest, ...(accuracy !== undefined && { accuracy }) } });
}

test('the card has the accuracy of each other record, measured or not', (t) => {
  const figures = {
    ...{ n: 27_462, forecast: 0.10204, observed: 0.1031, auc: 0.66543, logLoss: 0.3138123 },
    ...{ brier: 0.09, skill: 0.021, ece: 0.01 },
    overRates: { difference: -0.0157, error: null },
  };
  const band = { label: 'Low', n: 9, share: 1, disrupted: 0.1 };
  const accuracy = {
    ...{ state: 'failed', why: 'a constant forecast is better' },
    measured: {
      trainedOn: { first: '2025-10', last: '2025-11' },
      ...{ testedOn: ['2025-12'], share: 0.99, withHour: figures, withoutHour: figures },
      score: { n: 9, disrupted: 0.1, bands: [band], tenths: [], byConfidence: [] },
    },
  };
  const parts = [aRecord(accuracy), aRecord(), aRecord({ state: 'of another release' })];
  const body = modelBodyOf(someMetadata(), 'v', { parts });
  t.notThrows(() => modelBody.parse(body));
  const [failed, ...others] = body.providers;
  t.like(failed, {
    provider: 'hkia',
    title: 'Hong Kong',
    state: 'failed',
    why: 'a constant forecast is better',
    measured: {
      trained_on: { first_month: '2025-10', last_month: '2025-11' },
      tested_on: ['2025-12'],
      measured_share: 0.99,
      with_hour: { flights: 27_462, forecast: 0.102, auc: 0.6654, log_loss: 0.31381 },
      score_reliability: { flights: 9, by_month: null },
    },
  });
  t.is(failed?.measured?.with_hour.standard_error, null);
  for (const one of others) t.like(one, { state: 'unmeasured', measured: null });
});

test('the lineage of an answer names the state of its record, and is null for the American one', (t) => {
  t.is(
    accuracyStateOf(aRecord({ state: 'failed', why: 'a constant forecast is better' })),
    'failed',
  );
  t.is(accuracyStateOf(aRecord()), 'unmeasured');
  t.is(accuracyStateOf(aStore()), null);
});

test('without a model the answer is 404 and names the basis of scores', async (t) => {
  const { status, body } = await anApi()(URL);
  t.is(status, 404);
  t.deepEqual(body, {
    error: 'not_found',
    message:
      'No model is published. Scores use statistics only. GET /api/coverage has the accuracy of scores for each provider of flight records.',
  });
});

test('a refused model gets 404, and a missing store 503', async (t) => {
  const store = aStore({ manifest: { model: ENTRY } });
  t.is((await anApi({ stores: { current: () => store } })(URL)).status, 404);
  t.is((await anApi({ stores: { current: () => undefined } })(URL)).status, 503);
});

test('the card needs a key', async (t) => {
  const { status, body } = await anApi()('/api/model');
  t.is(status, 401);
  t.is(body['error'], 'missing_api_key');
});
