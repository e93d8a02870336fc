import test from 'ava';
import { airlinesBody } from '../../../api/schemas/airlines.ts';
import { riskLabel } from '../../../models/label.ts';
import { assessFlight } from '../../../models/score.ts';
import { aBrandStore, aStoreWithEndedOperator } from '../../helpers/brand-store.ts';
import { aStore, someStats } from '../../helpers/store.ts';
import { anApi, fakeKeys, SOME_KEY } from '../helpers/app.ts';

function airlinesUrl(origin: string, dest: string): string {
  return `/api/airlines?${new URLSearchParams({ origin, dest, api_key: SOME_KEY })}`;
}

test('every airline on the route is listed with exactly the fields of the specification', async (t) => {
  const { status, headers, body } = await anApi()(airlinesUrl('jfk', 'lax'));
  t.is(status, 200);
  t.notThrows(() => airlinesBody.parse(body));
  t.deepEqual(Object.keys(body), ['origin', 'dest', 'airlines']);
  t.like(body, { origin: 'JFK', dest: 'LAX' });
  const airlines = body['airlines'] as Record<string, unknown>[];
  t.deepEqual(Object.keys(airlines[0]!), [
    'airline',
    'airline_name',
    'score',
    'label',
    'delay_rate',
    'total_flights',
    'confidence',
  ]);
  t.like(airlines[0], {
    airline: 'DL',
    airline_name: 'Delta Air Lines',
    delay_rate: 0.1,
    total_flights: 1000,
    confidence: 0.9524,
  });
  t.deepEqual(
    airlines.map((entry) => entry['airline']),
    ['DL', 'AA', 'B6'],
  );
  t.is(headers['x-store-version'], '20260101T000000Z-abc123');
});

test('with include=record each airline has the months of its record', async (t) => {
  const call = anApi();
  const { body } = await call(`${airlinesUrl('JFK', 'LAX')}&include=record`);
  t.like(body, { airlines: [{ airline: 'DL', record: { first: '2025-01', last: '2026-02' } }] });
  t.notThrows(() => airlinesBody.parse(body));
  const refused = await call(`${airlinesUrl('JFK', 'LAX')}&include=lineage`);
  t.like(refused, { status: 400, body: { param: 'include' } });
});

test('only airlines with flights in the newest year of the route are listed; include=former adds the others', async (t) => {
  const last: Record<string, string> = { AA: '2025-02', B6: '2024-02', DL: '2024-03' };
  const store = {
    ...aStore(),
    recordMonths: (_from: string, _to: string, carrier: string) => ({
      first: '2018-01',
      last: last[carrier] ?? '',
    }),
  };
  const call = anApi({ stores: { current: () => store } });
  const { body } = await call(airlinesUrl('JFK', 'LAX'));
  const codes = (entries: unknown) => (entries as { airline: string }[]).map((one) => one.airline);
  t.deepEqual(codes(body['airlines']), ['DL', 'AA']);
  t.false('former' in body);
  const full = await call(`${airlinesUrl('JFK', 'LAX')}&include=former`);
  t.deepEqual(codes(full.body['airlines']), ['DL', 'AA']);
  t.deepEqual(full.body['former'], [
    {
      airline: 'B6',
      airline_name: 'JetBlue',
      last_month: '2024-02',
      delay_rate: 0.3,
      total_flights: 1000,
    },
  ]);
});

test('airlines are sorted by score, lowest first, and by code among equal scores', async (t) => {
  const scores: Record<string, number> = { AA: 50, B6: 20, DL: 50 };
  const { body } = await anApi({
    assess: (query, store, live) => {
      const score = scores[query.carrier]!;
      return { ...assessFlight(query, store, live), score, label: riskLabel(score) };
    },
  })(airlinesUrl('JFK', 'LAX'));
  const airlines = body['airlines'] as { airline: string; score: number; label: string }[];
  t.deepEqual(
    airlines.map(({ airline, score, label }) => [airline, score, label]),
    [
      ['B6', 20, 'Low'],
      ['AA', 50, 'Moderate'],
      ['DL', 50, 'Moderate'],
    ],
  );
});

test('each airline is scored for today at the origin', async (t) => {
  const dates = new Set<string>();
  const call = anApi({
    // Already 11 March in Auckland.
    now: () => new Date('2026-03-10T23:30:00Z'),
    stores: {
      current: () => aStore({ carriers: { 'AKL-LAX': [{ carrier: 'NZ', ...someStats() }] } }),
    },
    assess: (query, store, live) => {
      dates.add(query.flightDate);
      return assessFlight(query, store, live);
    },
  });
  await call(airlinesUrl('AKL', 'LAX'));
  t.deepEqual([...dates], ['2026-03-11']);
});

test('a route without flights returns an empty list and counts as a call', async (t) => {
  const keys = fakeKeys();
  const { status, body } = await anApi({ keys })(airlinesUrl('LAX', 'AKL'));
  t.is(status, 200);
  t.deepEqual(body, { origin: 'LAX', dest: 'AKL', airlines: [] });
  t.is(keys.counted, 1);
});

test('a carrier without a name is listed under its code', async (t) => {
  const store = aStore({ carriers: { 'JFK-LAX': [{ carrier: 'ZZ', ...someStats() }] } });
  const { body } = await anApi({ stores: { current: () => store } })(airlinesUrl('JFK', 'LAX'));
  t.like(body, { airlines: [{ airline: 'ZZ', airline_name: 'ZZ' }] });
});

test('an unknown airport and equal airports are refused as in /api/score', async (t) => {
  const call = anApi();
  t.like(await call(airlinesUrl('JFK', 'ZZZ')), {
    status: 404,
    body: { error: 'unknown_airport', param: 'dest' },
  });
  t.like(await call(airlinesUrl('JFK', 'JFK')), {
    status: 400,
    body: { error: 'invalid_parameter', param: 'dest' },
  });
});

test('the operators are those that the score uses: without operators that no longer exist, and with shares that add up to 1', async (t) => {
  const call = anApi({ stores: { current: () => aStoreWithEndedOperator() } });
  const { body } = await call(`${airlinesUrl('JFK', 'LAX')}&include=operators`);
  const airlines = body['airlines'] as Record<string, unknown>[];
  const american = airlines.find(({ airline }) => airline === 'AA');
  const operators = american?.['operators'] as Record<string, unknown>[];
  t.deepEqual(
    operators.map(({ airline, share, score }) => [airline, share, score]),
    [['MQ', 1, american?.['score']]],
  );
});

test('an airline with partners is one entry, which has the score of /api/score and, on request, its operators', async (t) => {
  const call = anApi({ stores: { current: () => aBrandStore() } });
  const { body } = await call(airlinesUrl('JFK', 'LAX'));
  const airlines = body['airlines'] as Record<string, unknown>[];
  t.deepEqual(
    airlines.map((one) => [one['airline'], one['total_flights']]),
    [['AA', 1000]],
  );
  t.false('operators' in airlines[0]!);
  const flight = { airline: 'AA', date: '2026-03-10', api_key: SOME_KEY };
  const score = await call(
    `/api/score?${new URLSearchParams({ origin: 'JFK', dest: 'LAX', ...flight })}`,
  );
  t.is(airlines[0]!['score'], score.body['score']);
  const full = await call(`${airlinesUrl('JFK', 'LAX')}&include=operators`);
  t.notThrows(() => airlinesBody.parse(full.body));
  t.like(full.body, {
    airlines: [
      {
        operators: [
          { airline: 'MQ', share: 0.75, source: 'reported', inferred_confidence: null },
          { airline: 'YX', share: 0.25, inferred_share: 0 },
        ],
      },
    ],
  });
});
