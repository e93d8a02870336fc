import test, { type ExecutionContext } from 'ava';
import { hashKey } from '../../warehouse/keyring/format.ts';
import { assessFlight } from '../../models/score.ts';
import { borrowRedis } from '../helpers/redis.ts';
import { anApi, NOW, scoreUrl } from './helpers/app.ts';
import { aKey, aKeystore, countsOf } from './helpers/keystore.ts';

/** Creates an API whose calls for flights of B6 fail. `refunds` records the cost of each call whose count is undone. */
async function anApiThatFails(t: ExecutionContext, limit: number) {
  const server = await borrowRedis((stop) => t.teardown(stop));
  const { keys, redis } = await aKeystore(t, server.url);
  const { apiKey } = await aKey(keys, limit, NOW);
  const refunds: number[] = [];
  const refund: typeof keys.refund = (key, cost, at) => {
    refunds.push(cost);
    return keys.refund(key, cost, at);
  };
  const assess: typeof assessFlight = (query, ...others) => {
    if (query.carrier === 'B6') throw new Error('broken');
    return assessFlight(query, ...others);
  };
  const call = anApi({ keys: { ...keys, refund }, assess });
  return {
    server,
    refunds,
    score: (airline: string) => call(scoreUrl({ airline, api_key: apiKey })),
    counted: async () => (await countsOf(redis, hashKey(apiKey), '2026-03')).month,
    total: async () => (await countsOf(redis, hashKey(apiKey), '2026-03')).total,
  };
}

test('every 5xx is refunded once, also among concurrent calls', async (t) => {
  const { refunds, score, counted, total } = await anApiThatFails(t, 100);
  const airlines = Array.from({ length: 60 }, (_, at) => (at % 3 === 0 ? 'B6' : 'AA'));
  const answers = await Promise.all(airlines.map(score));
  t.is(answers.filter(({ status }) => status === 500).length, 20);
  t.deepEqual(
    refunds,
    Array.from({ length: 20 }, () => 1),
  );
  t.is(await counted(), 40);
  t.is(await total(), 40);
});

test('failures use no quota: the last call of a month can fail any number of times', async (t) => {
  const { score } = await anApiThatFails(t, 1);
  for (const _ of [1, 2, 3]) {
    const { status, headers } = await score('B6');
    t.is(status, 500);
    t.is(headers['x-ratelimit-remaining'], '1');
  }
  t.is((await score('AA')).status, 200);
  t.is((await score('B6')).status, 429);
});

test('neither a refusal nor a call over the limit is refunded', async (t) => {
  const { refunds, score, counted } = await anApiThatFails(t, 1);
  await score('AA');
  t.is((await score('AA')).status, 429);
  t.is((await score('ZZ')).status, 404);
  t.deepEqual(refunds, []);
  t.is(await counted(), 1);
});

test('a failed refund does not change the answer', async (t) => {
  const server = await borrowRedis((stop) => t.teardown(stop));
  const { keys, redis } = await aKeystore(t, server.url);
  const { apiKey } = await aKey(keys, 5, NOW);
  const refund: typeof keys.refund = (...args) => {
    redis.disconnect();
    return keys.refund(...args);
  };
  const call = anApi({
    keys: { ...keys, refund },
    assess: () => {
      throw new Error('broken');
    },
  });
  const answer = await call(scoreUrl({ api_key: apiKey }));
  t.like(answer, { status: 500, body: { error: 'internal_error' } });
});
