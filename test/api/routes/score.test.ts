import test from 'ava';
import { scoreBody } from '../../../api/schemas/score.ts';
import { riskLabel } from '../../../models/label.ts';
import type { Assessment } from '../../../models/types.ts';
import { aStore, someStats } from '../../helpers/store.ts';
import { anApi, scoreUrl } from '../helpers/app.ts';
import { componentKey } from '../../../api/schemas/label.ts';

/** Creates an assessment in which all numbers need rounding. */
function anAssessment(changes: Partial<Assessment> = {}): Assessment {
  return {
    tier: 'exact',
    score: 42,
    scoreLinear: 40,
    exactScore: 42,
    exactLinear: 40,
    logOdds: -2,
    cancelledProbability: 0.016,
    label: 'Moderate',
    components: componentKey.options.map((key) => ({
      key,
      name: 'Delay rate',
      value: 0.123456,
      label: 'Low',
      contribution: 12.3456,
      aboveAverage: 2,
    })),
    stats: someStats({
      flightCount: 999,
      completedCount: 980,
      delayedCount: 197,
      cancelledCount: 16,
      delayedMinSum: 12_345,
    }),
    confidence: 0.9524,
    hasRecord: { origin: true, dest: true, carrier: true },
    unknown: [],
    isHourKnown: true,
    recordWorth: 1,
    congestionDep: 0.71234,
    congestionArr: 0.4,
    weatherDep: {
      score: 0.54321,
      condition: 'Rain',
      basis: 'forecast',
      tempC: 3.14,
      windMaxKmh: 40,
      precipMaxMm: 0,
    },
    weatherArr: { score: 0.5, condition: 'Unavailable', basis: 'none' },
    ...changes,
  };
}

test('the answer has exactly the fields of the specification, in its order and types', async (t) => {
  const { status, body } = await anApi()(scoreUrl());
  t.is(status, 200);
  t.notThrows(() => scoreBody.parse(body));
  t.deepEqual(Object.keys(body), [
    'score',
    'score_linear',
    'score_ml',
    'ml_available',
    'label',
    'recommendation',
    'input',
    'stats',
    'components',
    'weather_dep',
    'weather_arr',
    'data_source',
    'data_provider',
    'airline_info',
    'origin_info',
    'dest_info',
  ]);
  const keysOf = (name: string) => Object.keys(body[name] as object);
  t.deepEqual(keysOf('input'), ['origin', 'destination', 'airline', 'flight_date']);
  t.deepEqual(keysOf('stats'), [
    'delay_rate_pct',
    'cancel_rate_pct',
    'avg_delay_min',
    'n_flights',
    'confidence_pct',
    'congestion_dep',
    'congestion_arr',
    'ml_probability',
  ]);
  t.deepEqual(keysOf('weather_dep'), ['score', 'condition', 'temp', 'wind', 'precip']);
  t.deepEqual(keysOf('weather_arr'), ['score', 'condition', 'temp', 'wind', 'precip']);
  t.deepEqual(keysOf('airline_info'), ['name', 'country']);
  t.deepEqual(keysOf('origin_info'), ['name', 'city', 'country']);
  t.deepEqual(keysOf('dest_info'), ['name', 'city', 'country']);
  const components = body['components'] as Record<string, unknown>[];
  t.deepEqual(components.map((part) => String(part['key'])).toSorted(), [
    'cancel_rate',
    'congestion',
    'delay_rate',
    'event_risk',
    'seasonality',
    'weather',
  ]);
  for (const part of components) {
    t.deepEqual(Object.keys(part), ['key', 'name', 'value', 'label', 'contribution']);
  }
});

test('every number is rounded once, in the answer', async (t) => {
  const { body } = await anApi({ assess: () => anAssessment() })(scoreUrl());
  t.deepEqual(body['stats'], {
    delay_rate_pct: 20.1,
    cancel_rate_pct: 1.6,
    avg_delay_min: 62.7,
    n_flights: 999,
    confidence_pct: 95,
    congestion_dep: 0.712,
    congestion_arr: 0.4,
    ml_probability: null,
  });
  t.deepEqual((body['components'] as unknown[])[0], {
    key: 'delay_rate',
    name: 'Delay rate',
    value: 0.1235,
    label: 'Low',
    contribution: 12.35,
  });
  t.deepEqual(body['weather_dep'], {
    score: 0.5432,
    condition: 'Rain',
    temp: 3.1,
    wind: 40,
    precip: 0,
  });
  t.deepEqual(body['weather_arr'], {
    score: 0.5,
    condition: 'Unavailable',
    temp: null,
    wind: null,
    precip: null,
  });
});

test('without a model its fields are null, and with a model they have its values', async (t) => {
  const without = await anApi({ assess: () => anAssessment() })(scoreUrl());
  t.like(without.body, { score_ml: null, ml_available: false, stats: { ml_probability: null } });
  const assess = () => anAssessment({ scoreMl: 24, mlProbability: 0.24318 });
  const withModel = await anApi({ assess })(scoreUrl());
  t.like(withModel.body, { score_ml: 24, ml_available: true, stats: { ml_probability: 24.32 } });
});

for (const [score, label] of [
  [0, 'Low'],
  [30, 'Low'],
  [31, 'Moderate'],
  [55, 'Moderate'],
  [56, 'High'],
  [74, 'High'],
  [75, 'Very High'],
  [100, 'Very High'],
] as const) {
  test(`a score of ${score} has the label ${label}`, async (t) => {
    const assess = () => anAssessment({ score, label: riskLabel(score) });
    t.like((await anApi({ assess })(scoreUrl())).body, { score, label });
  });
}

test('codes are accepted in any case and echoed in upper case; unknown parameters are ignored', async (t) => {
  const url = scoreUrl({ origin: 'jfk', dest: 'Lax', airline: 'b6', colour: 'blue' });
  const { status, body } = await anApi()(url);
  t.is(status, 200);
  t.deepEqual(body['input'], {
    origin: 'JFK',
    destination: 'LAX',
    airline: 'B6',
    flight_date: '2026-03-20',
  });
  t.deepEqual(body['airline_info'], { name: 'JetBlue', country: 'United States' });
  t.deepEqual(body['origin_info'], {
    name: 'John F. Kennedy International Airport',
    city: 'New York',
    country: 'United States',
  });
});

test('the tier is exact, route_any_airline or no_data; with no_data all counts are 0', async (t) => {
  const call = anApi();
  t.like((await call(scoreUrl())).body, { data_source: 'exact', stats: { n_flights: 1000 } });
  t.like((await call(scoreUrl({ airline: 'NZ' }))).body, {
    data_source: 'route_any_airline',
    stats: { n_flights: 3000 },
  });
  const noData = await call(scoreUrl({ dest: 'AKL' }));
  t.like(noData.body, { data_source: 'no_data', data_provider: 'bts' });
  t.like(noData.body['stats'], {
    delay_rate_pct: 0,
    cancel_rate_pct: 0,
    avg_delay_min: 0,
    n_flights: 0,
    confidence_pct: 0,
  });
});

test('news are included only on request, and never change the score', async (t) => {
  const call = anApi();
  const plain = await call(scoreUrl());
  t.false('news' in plain.body);
  t.false('news' in (await call(scoreUrl({ news: 'false' }))).body);
  for (const yes of ['true', '1']) {
    const { body } = await call(scoreUrl({ news: yes }));
    t.deepEqual(body, { ...plain.body, news: [] });
  }
});

test('the answer uses one version of the store and names it', async (t) => {
  const versions = ['v1', 'v2', 'v3', 'v4'];
  // Each read returns another version. If an answer read the store more than once, it would mix versions.
  const stores = versions.map((version) => aStore({ manifest: { version, provider: version } }));
  const call = anApi({ stores: { current: () => stores.shift() } });
  for (const version of ['v1', 'v2']) {
    const { headers, body } = await call(scoreUrl());
    t.is(headers['x-store-version'], version);
    t.is(body['data_provider'], version);
  }
});
