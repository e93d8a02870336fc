import test from 'ava';
import { batchBody } from '../../../api/schemas/batch.ts';
import { INCLUDES } from '../../../api/schemas/include.ts';
import { aStore } from '../../helpers/store.ts';
import { anApi, fakeKeys, scoreUrl, SOME_KEY } from '../helpers/app.ts';

const batchUrl = (flights: string) =>
  `/api/score/batch?${new URLSearchParams({ flights, api_key: SOME_KEY })}`;

const JFK_LAX = 'JFK-LAX-AA-2026-03-20';

test('every flight has the same answer as in /api/score, in the order of the request', async (t) => {
  const call = anApi();
  const flights = ['jfk-lax-b6-2026-03-21', JFK_LAX, JFK_LAX];
  const { status, headers, body } = await call(batchUrl(flights.join(',')));
  t.is(status, 200);
  t.notThrows(() => batchBody.parse(body));
  const single = [
    await call(scoreUrl({ airline: 'B6', date: '2026-03-21' })),
    await call(scoreUrl()),
    await call(scoreUrl()),
  ];
  t.deepEqual(body, {
    count: 3,
    results: flights.map((flight, at) => ({ flight, result: single[at]!.body })),
  });
  t.is(headers['x-store-version'], '20260101T000000Z-abc123');
});

test('every optional part and a payout are as in /api/score', async (t) => {
  const call = anApi({ liveInputs: () => ({ mlProbability: 0.2 }) });
  const parts = { include: INCLUDES.join(','), payout: '60:100,cancelled:400' };
  const { body } = await call(`${batchUrl(JFK_LAX)}&${new URLSearchParams(parts)}`);
  t.notThrows(() => batchBody.parse(body));
  const single = await call(scoreUrl(parts));
  t.truthy(single.body['distribution']);
  t.deepEqual(body['results'], [{ flight: JFK_LAX, result: single.body }]);
});

test('a departure time follows the date', async (t) => {
  const { body } = await anApi()(batchUrl(`${JFK_LAX}T17:30,${JFK_LAX}t25:00`));
  t.like(body, {
    results: [
      { result: { input: { dep_time: '17:30' } } },
      { error: { error: 'invalid_parameter', param: 'dep_time' } },
    ],
  });
});

test('a flight that cannot be scored has its error, and the others are answered', async (t) => {
  const bad: [string, string, string][] = [
    ['', 'missing_parameter', 'origin'],
    ['JFK', 'missing_parameter', 'dest'],
    ['JFK-LAX-AA', 'missing_parameter', 'date'],
    ['JFK-JFK-AA-2026-03-20', 'invalid_parameter', 'dest'],
    ['JFK-LAX-AA-2026-02-30', 'invalid_parameter', 'date'],
    ['JFK-LAX-AA-2026-03-20-', 'invalid_parameter', 'date'],
    ['JFK-LAX-AA-2031-03-20', 'invalid_parameter', 'date'],
    ['ZZZ-LAX-AA-2026-03-20', 'unknown_airport', 'origin'],
    ['JFK-LAX-0X-2026-03-20', 'unknown_airline', 'airline'],
  ];
  const url = batchUrl([...bad.map(([flight]) => flight), JFK_LAX].join(','));
  const { status, body } = await anApi()(url);
  t.is(status, 200);
  t.notThrows(() => batchBody.parse(body));
  const results = body['results'] as Record<string, Record<string, unknown>>[];
  t.deepEqual(
    results.slice(0, -1).map(({ flight, error }) => [flight, error?.['error'], error?.['param']]),
    bad as unknown[][],
  );
  t.deepEqual(Object.keys(results.at(-1)!), ['flight', 'result']);
});

test('a batch costs as many calls as it has flights', async (t) => {
  const keys = fakeKeys();
  const call = anApi({ keys });
  await call(batchUrl(`${JFK_LAX},nonsense,${JFK_LAX}`));
  t.is(keys.counted, 3);
});

test('a batch that costs more than the remaining calls is refused with the number of remaining calls', async (t) => {
  const keys = fakeKeys({ verdict: 'over', monthlyLimit: 100, monthCount: 98 });
  const { status, headers, body } = await anApi({ keys })(batchUrl(Array(3).fill(JFK_LAX).join()));
  t.is(status, 429);
  t.deepEqual(body, {
    error: 'rate_limit_exceeded',
    message:
      'The monthly limit of 100 calls has 2 left, and this request costs 3; contact the provider to upgrade.',
  });
  t.is(headers['x-ratelimit-remaining'], '2');
});

test('a batch without flights or with more than 50 is refused and not counted', async (t) => {
  const keys = fakeKeys();
  const call = anApi({ keys });
  const many = (count: number) => Array.from({ length: count }, () => JFK_LAX).join(',');
  t.like(await call(batchUrl('')), { status: 400, body: { error: 'missing_parameter' } });
  const { status, body } = await call(batchUrl(many(51)));
  t.like({ status, body }, { status: 400, body: { error: 'invalid_parameter', param: 'flights' } });
  t.regex(String(body['message']), /must be 1 to 50 flights .*; received 51\.$/);
  t.is(keys.counted, 0);
  t.is((await call(batchUrl(many(50)))).status, 200);
  t.is(keys.counted, 50);
});

test('all flights are scored from one version of the store', async (t) => {
  const stores = ['v1', 'v2', 'v3'].map((version) =>
    aStore({ manifest: { version, provider: version } }),
  );
  const call = anApi({ stores: { current: () => stores.shift() } });
  const { headers, body } = await call(batchUrl(`${JFK_LAX},${JFK_LAX}`));
  t.is(headers['x-store-version'], 'v1');
  const results = body['results'] as { result: { data_provider: string } }[];
  t.deepEqual(
    results.map(({ result }) => result.data_provider),
    ['v1', 'v1'],
  );
});

test('an internal error fails the whole batch, and nothing is counted', async (t) => {
  const keys = fakeKeys();
  const assess = () => {
    throw new Error('broken');
  };
  const { status } = await anApi({ keys, assess })(batchUrl(`${JFK_LAX},${JFK_LAX}`));
  t.is(status, 500);
  t.is(keys.counted, 0);
});
