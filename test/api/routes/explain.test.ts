import test from 'ava';
import { explainBody } from '../../../api/schemas/explain.ts';
import type { LiveInputs } from '../../../models/types.ts';
import { anApi, fakeKeys, scoreUrl } from '../helpers/app.ts';

const explainUrl = (changes: Record<string, string> = {}) =>
  scoreUrl(changes).replace('/api/score', '/api/explain');

async function explanationOf(changes: Record<string, string> = {}, live: LiveInputs = {}) {
  const { body } = await anApi({ liveInputs: () => live })(explainUrl(changes));
  return String(body['explanation']);
}

test('the answer has exactly the specified fields, with the score of /api/score', async (t) => {
  const call = anApi();
  const { status, headers, body } = await call(explainUrl({ origin: 'jfk' }));
  t.is(status, 200);
  t.notThrows(() => explainBody.parse(body));
  t.deepEqual(Object.keys(body), [
    'origin',
    'destination',
    'airline',
    'date',
    'score',
    'label',
    'explanation',
  ]);
  const { score, label } = (await call(scoreUrl())).body;
  t.like(body, { origin: 'JFK', destination: 'LAX', airline: 'AA', date: '2026-03-20' });
  t.deepEqual([body['score'], body['label']], [score, label]);
  t.is(headers['x-store-version'], '20260101T000000Z-abc123');
});

test('the sentences describe record, drivers, weather, congestion, season and confidence', async (t) => {
  t.is(
    await explanationOf(),
    'Our history has 1,000 flights of American Airlines from New York to Los Angeles: 20% arrived more than 30 minutes late, ' +
      'by 60 minutes on average, and 1.5% were cancelled. ' +
      'The risk is high, 57 of 100. Compared with an average flight, the delay record adds 12.0 points and the cancellation record takes away 1.2 points. ' +
      'The weather is not known yet. ' +
      'Congestion is high at New York and moderate at Los Angeles. ' +
      'Delays are about as likely as on an average day. ' +
      'Confidence in the record is 95.2%.',
  );
});

test('the sentences state when the record covers other airlines, and when there is no record', async (t) => {
  t.regex(
    await explanationOf({ airline: 'NZ' }),
    /^Our history has no flights of Air New Zealand from/,
  );
  t.regex(
    await explanationOf({ airline: 'NZ' }),
    /but 3,000 flights of other airlines: 20% arrived/,
  );
  t.regex(
    await explanationOf({ dest: 'AKL' }),
    /^Our history has no flights from New York to Auckland\./,
  );
});

test('the sentences contain the weather and the probability of the model, if available', async (t) => {
  const rain = { score: 0.8, condition: 'Heavy rain', basis: 'forecast' as const };
  t.regex(
    await explanationOf({}, { weatherDep: rain, mlProbability: 0.243 }),
    /Weather: heavy rain at New York, not known at Los Angeles\..*A model puts the probability of a delay at 24\.3%\./,
  );
});

test('the two factors that differ most from an average flight are named, in either direction', async (t) => {
  const rain = { score: 0.9, condition: 'Heavy rain', basis: 'forecast' as const };
  t.regex(
    await explanationOf({}, { weatherDep: rain }),
    /Compared with an average flight, the delay record adds 12\.0 points and the weather adds 10\.\d points\./,
  );
  t.regex(await explanationOf({ airline: 'DL' }), /the delay record takes away \d\.\d points/);
});

test('switched off, it returns 501 for a valid key with any parameters, and is not counted', async (t) => {
  const keys = fakeKeys();
  const call = anApi({ keys, isExplainEnabled: false });
  for (const changes of [{}, { date: 'never' }]) {
    t.like(await call(explainUrl(changes)), {
      status: 501,
      body: { error: 'not_available', message: 'Explanations are not available yet.' },
    });
  }
  t.is(keys.counted, 0);
  t.is((await call(explainUrl({ api_key: '' }))).status, 401);
});

test('switched on, it counts as one call', async (t) => {
  const keys = fakeKeys();
  await anApi({ keys })(explainUrl());
  t.is(keys.counted, 1);
});
