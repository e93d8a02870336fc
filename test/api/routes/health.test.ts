import test from 'ava';
import { healthBody, type HealthBody } from '../../../api/schemas/health.ts';
import { anApi, FETCHED_AT, fakeKeys } from '../helpers/app.ts';
import {
  CONDITION_NAMES,
  conditionOf,
  type ConditionName,
} from '../../../warehouse/live/conditions.ts';
import { aModel, modelsWith } from '../helpers/model.ts';

const TIME = '2026-03-10T14:00:00.000Z';
const WELL = {
  api: 'ok',
  database: 'ok',
  keys: 'ok',
  ml_model: 'ok',
  weather: 'ok',
  news: 'ok',
  history: 'ok',
  operations: 'ok',
};

test('with store, Redis and model the health is ok, and needs no key', async (t) => {
  const { model } = aModel();
  const { status, headers, body } = await anApi({ models: modelsWith(model) })('/api/health');
  t.is(status, 200);
  t.notThrows(() => healthBody.parse(body));
  t.deepEqual(body, {
    status: 'ok',
    time: TIME,
    components: WELL,
    history: { flights_until: '2025-02', levels_until: '2025-12' },
    weather: { fetched_at: FETCHED_AT },
    news: { fetched_at: FETCHED_AT },
  });
  t.is(headers['cache-control'], 'no-store');
});

test('without a model the health is degraded, and still 200', async (t) => {
  const { status, body } = await anApi()('/api/health');
  t.is(status, 200);
  t.deepEqual(body, {
    status: 'degraded',
    time: TIME,
    components: { ...WELL, ml_model: 'unavailable' },
    history: { flights_until: '2025-02', levels_until: '2025-12' },
    weather: { fetched_at: FETCHED_AT },
    news: { fetched_at: FETCHED_AT },
  });
});

test('without a store, and so without a model, the health is error and 503', async (t) => {
  const { status, body } = await anApi({ stores: { current: () => undefined } })('/api/health');
  t.is(status, 503);
  t.deepEqual(body, {
    status: 'error',
    time: TIME,
    components: {
      ...WELL,
      database: 'unavailable',
      ml_model: 'unavailable',
      history: 'unavailable',
    },
    history: { flights_until: null, levels_until: null },
    weather: { fetched_at: FETCHED_AT },
    news: { fetched_at: FETCHED_AT },
  });
});

test('without Redis the health is error and 503', async (t) => {
  const keys = { ...fakeKeys(), ping: () => Promise.reject(new Error('unavailable')) };
  const { status, body } = await anApi({ keys })('/api/health');
  t.is(status, 503);
  t.like(body, { status: 'error', components: { database: 'unavailable' } });
});

test('an old history degrades the health and is reported by part', async (t) => {
  const { model } = aModel();
  const at = async (now: string) => {
    const { status, body } = await anApi({
      models: modelsWith(model),
      now: () => new Date(now),
      ...fetchedAt(now),
    })('/api/health');
    t.is(status, 200);
    return [(body as HealthBody).status, (body as HealthBody).components.history];
  };
  t.deepEqual(await at('2026-12-31T00:00:00Z'), ['ok', 'ok']);
  t.deepEqual(await at('2027-01-01T00:00:00Z'), ['degraded', 'old_levels']);
  t.deepEqual(await at('2027-03-01T00:00:00Z'), ['degraded', 'old']);
});

test('weather and news that are old or were never fetched degrade the health, each by its own part', async (t) => {
  const { model } = aModel();
  const partsWith = async (weather: string | undefined, news: string | undefined) => {
    const times = { forecastsAt: () => weather, newsAt: () => news };
    const { body } = await anApi({ models: modelsWith(model), ...times })('/api/health');
    const { status, components } = body as HealthBody;
    return [status, components.weather, components.news];
  };
  t.deepEqual(await partsWith(FETCHED_AT, FETCHED_AT), ['ok', 'ok', 'ok']);
  t.deepEqual(await partsWith(undefined, FETCHED_AT), ['degraded', 'unavailable', 'ok']);
  t.deepEqual(await partsWith('2026-03-01T00:00:00Z', FETCHED_AT), ['degraded', 'old', 'ok']);
  t.deepEqual(await partsWith(FETCHED_AT, undefined), ['degraded', 'ok', 'unavailable']);
  t.deepEqual(await partsWith(FETCHED_AT, '2026-03-10T08:00:00.000Z'), ['degraded', 'ok', 'old']);
  t.deepEqual(await partsWith(FETCHED_AT, '2026-03-10T08:00:00.001Z'), ['ok', 'ok', 'ok']);
});

/** Times of fetches just before `now`. */
function fetchedAt(now: string) {
  return { forecastsAt: () => now, newsAt: () => now };
}

test('each condition that workers found degrades the health, and is still 200', async (t) => {
  const { model } = aModel();
  const withConditions = async (...conditions: ConditionName[]) => {
    const api = anApi({ models: modelsWith(model), conditions: () => conditions });
    const { status: code, body } = await api('/api/health');
    const { status, components } = body as HealthBody;
    return [code, status, components.operations, components.keys, components.history];
  };
  t.deepEqual(await withConditions(), [200, 'ok', 'ok', 'ok', 'ok']);
  for (const name of CONDITION_NAMES) {
    const keys = name === 'keys.lost' ? 'lost' : 'ok';
    const history = name === 'data.stale' ? 'behind' : 'ok';
    const { state } = conditionOf(name);
    t.deepEqual(await withConditions(name), [200, 'degraded', state, keys, history], name);
  }
});
