import test from 'ava';
import { assessFlight } from '../../../models/score.ts';
import { anApi, fakeKeys, scoreUrl } from '../helpers/app.ts';

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
