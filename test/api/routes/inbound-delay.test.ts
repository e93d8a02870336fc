import test from 'ava';
import { assessFlight } from '../../../models/score.ts';
import { anApi, fakeKeys, scoreUrl, SOME_KEY } from '../helpers/app.ts';

const call = anApi({
  assess: (query, store, live) => assessFlight(query, store, { ...live, mlProbability: 0.2 }),
});

const TODAY = { date: '2026-03-10' };

test('a late incoming aircraft raises score and probability, and is the reason in the recommendation', async (t) => {
  const usual = (await call(scoreUrl(TODAY))).body;
  const inTime = (await call(scoreUrl({ ...TODAY, inbound_delay: '0' }))).body;
  const late = (await call(scoreUrl({ ...TODAY, inbound_delay: '75' }))).body;
  const scores = [inTime, usual, late].map((body) => Number(body['score']));
  t.deepEqual(
    scores,
    scores.toSorted((a, b) => a - b),
  );
  t.is(new Set(scores).size, 3);
  t.regex(String(late['recommendation']), /the incoming aircraft is 75 minutes late/);
  t.is((late['stats'] as { n_flights: number }).n_flights, 1_000);
});

test('long delays become more likely, and the outcomes still add up to 1', async (t) => {
  const outlookOf = async (changes: Record<string, string>) => {
    const { body } = await call(scoreUrl({ ...TODAY, include: 'outlook', ...changes }));
    const { beyond_120: _, ...outcomes } = body['outlook'] as Record<string, number>;
    return outcomes;
  };
  const [usual, late] = [await outlookOf({}), await outlookOf({ inbound_delay: '90' })];
  t.true((late['over_120'] ?? 0) > 2 * (usual['over_120'] ?? 1));
  const total = Object.values(late).reduce((sum, one) => sum + one, 0);
  t.true(Math.abs(total - 1) < 1e-9);
});

test('a delay that is no number of minutes in a day is refused and not counted', async (t) => {
  const keys = fakeKeys();
  for (const inbound_delay of ['1441', '-5', '4.5', 'late']) {
    const { status, body } = await anApi({ keys })(scoreUrl({ ...TODAY, inbound_delay }));
    t.like({ status, ...body }, { status: 400, param: 'inbound_delay' });
  }
  t.is(keys.counted, 0);
});

test('a batch and an itinerary take a delay per flight, as /api/score does', async (t) => {
  const late = (await call(scoreUrl({ ...TODAY, inbound_delay: '75' }))).body;
  const usual = (await call(scoreUrl(TODAY))).body;
  const url = (path: string, params: Record<string, string>) =>
    `/api/${path}?${new URLSearchParams({ ...params, api_key: SOME_KEY })}`;
  const flights = 'JFK-LAX-AA-2026-03-10,JFK-LAX-AA-2026-03-10';
  const { body } = await call(url('score/batch', { flights, inbound_delays: ',75' }));
  t.deepEqual(
    (body['results'] as { result: unknown }[]).map(({ result }) => result),
    [usual, late],
  );
  const legs = 'JFK-LAX-AA-2026-03-10T18:00-21:10,LAX-JFK-AA-2026-03-10T22:30';
  const trip = async (changes: Record<string, string>) => {
    const answer = (await call(url('itinerary', { legs, ...changes }))).body;
    const [{ missed }] = answer['connections'] as [{ missed: number }];
    return missed;
  };
  t.true((await trip({ inbound_delays: '120' })) > 2 * (await trip({})));
});

test('more delays than flights, and values that are no minutes of a day, are refused', async (t) => {
  const flights = 'JFK-LAX-AA-2026-03-10';
  for (const inbound_delays of ['1,2', '1441', '-5', '4.5', 'late']) {
    const params = new URLSearchParams({ flights, inbound_delays, api_key: SOME_KEY });
    const { status, body } = await call(`/api/score/batch?${params}`);
    t.like({ status, ...body }, { status: 400, param: 'inbound_delays' }, inbound_delays);
    if (inbound_delays !== '1,2') t.regex(String(body['message']), /from 0 to 1440/);
  }
});
