import test from 'ava';
import { modelBodyOf } from '../../../api/presenters/model-body.ts';
import { modelBody } from '../../../api/schemas/model.ts';
import { FEATURES } from '../../../models/features.ts';
import { aStore } from '../../helpers/store.ts';
import { OURS, someMetadata } from '../../models/helpers/model.ts';
import { anApi, fakeKeys, SOME_KEY } from '../helpers/app.ts';
import { aModel, shelfWith } from '../helpers/model.ts';

const URL = `/api/model?api_key=${SOME_KEY}`;

const ENTRY = {
  file: 'model.onnx',
  version: '0123456789ab',
  bytes: 1,
  sha256: '01',
  contract: OURS.contract,
};

test('the card says what the model was made from and how good it is, and does not count', async (t) => {
  const { model } = aModel();
  const store = aStore({ manifest: { model: ENTRY } });
  const keys = fakeKeys();
  const call = anApi({ keys, models: shelfWith(model), stores: { current: () => store } });
  const { status, headers, body } = await call(URL);
  t.is(status, 200);
  t.notThrows(() => modelBody.parse(body));
  t.is(headers['x-store-version'], store.manifest.version);
  t.is(keys.counted, 0);
  t.deepEqual(body, {
    version: '0123456789ab',
    contract: OURS.contract,
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
    metrics: { auc: 0.66, brierSkill: 0.03 },
    score_reliability: null,
    outlook_shares: {
      under_15: 0.9,
      from_15_to_30: 0.1,
      from_30_to_60: 0.5,
      from_60_to_120: 0.3,
      over_120: 0.2,
    },
  });
});

test('the card says what its flights and those of its figures cover', async (t) => {
  const [learned, tested] = [
    { airports: 300, carriers: 16, routes: 5000 },
    { airports: 20, carriers: 12, routes: 380 },
  ];
  const some = someMetadata();
  const band = { label: 'Low', n: 9, share: 1, disrupted: 0.1 };
  const score = { n: 9, disrupted: 0.1, bands: [band], tenths: [], byConfidence: [] };
  const month = { month: '2025-02', n: 9, disrupted: 0.1, bands: [band] };
  const metadata = someMetadata({
    trainedOn: {
      ...some.trainedOn,
      coverage: { first: '2025-01', last: '2025-02', flights: 9000, ...learned },
    },
    metrics: { testedOn: ['2025-02'], score: { ...score, coverage: tested, byMonth: [month] } },
  });
  const { trained_on, score_reliability } = modelBodyOf(metadata, 'v');
  t.deepEqual(trained_on.coverage, {
    first_month: '2025-01',
    last_month: '2025-02',
    flights: 9000,
    airports: 300,
    airlines: 16,
    routes: 5000,
  });
  t.deepEqual(score_reliability?.coverage, { airports: 20, airlines: 12, routes: 380 });
  const before = modelBodyOf({ ...metadata, metrics: { score } }, 'v');
  t.is(before.score_reliability?.coverage, null);
  t.like(score_reliability?.by_month, [{ month: '2025-02', flights: 9, disrupted: 0.1 }]);
  t.is(before.score_reliability?.by_month, null);
});

test('without a model the answer is 404 and says what scores rest on', async (t) => {
  const { status, body } = await anApi()(URL);
  t.is(status, 404);
  t.deepEqual(body, {
    error: 'not_found',
    message: 'No model is published; scores rest on statistics alone.',
  });
});

test('a model that was refused has no card, and without a store there is nothing to say', async (t) => {
  const store = aStore({ manifest: { model: ENTRY } });
  t.is((await anApi({ stores: { current: () => store } })(URL)).status, 404);
  t.is((await anApi({ stores: { current: () => undefined } })(URL)).status, 503);
});

test('the card needs a key', async (t) => {
  const { status, body } = await anApi()('/api/model');
  t.is(status, 401);
  t.is(body['error'], 'missing_api_key');
});
