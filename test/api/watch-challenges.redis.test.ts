import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { createWatchRegistry } from '../../api/live/watch-registry.ts';
import { refuseChallenges, serveChallenges } from '../../jobs/wiring/watch-challenges.ts';
import { createGuardedPost } from '../../pipelines/watches/guarded-post.ts';
import { createKeystore } from '../../warehouse/keyring/keystore.ts';
import { requestChallenge, takeChallenge } from '../../warehouse/live/watch-challenges.ts';
import { aReceiver } from '../helpers/receiver.ts';
import { borrowRedis } from '../helpers/redis.ts';
import { anApi, NOW } from './helpers/app.ts';

test('silent receivers of one account do not delay the challenges of another', async (t) => {
  const server = await borrowRedis((stop) => t.teardown(stop));
  const redis = new Redis(server.url);
  t.teardown(() => redis.disconnect());
  const [silent, good] = [await aReceiver(t, () => undefined), await aReceiver(t)];
  const allowedHosts = new Set([silent.host, good.host]);
  const challenges = serveChallenges(server.url, {
    post: createGuardedPost({ deadlineMs: 5_000, allowedHosts }),
    ...{ allowedHosts, now: () => NOW, log: pino({ level: 'silent' }) },
  });
  t.teardown(challenges.close);
  const keys = createKeystore(redis, { deadlineMs: 60_000 });
  const newKey = async () =>
    (await keys.create({ name: 'A', email: 'a@b.example', monthlyLimit: 100 }, 'live', NOW)).apiKey;
  const registry = createWatchRegistry({ redis, now: () => NOW });
  const flight = { origin: 'JFK', dest: 'LAX', airline: 'AA', date: '2026-03-20' };
  const create = (apiKey: string, url: string) =>
    registry.create(apiKey, { flight, url, points: 10, hasBand: true }, () => ({
      ...{ score: 40, label: 'Moderate', at: NOW.toISOString() },
    }));
  const [slowKey, goodKey] = [await newKey(), await newKey()];
  const slow = Array.from({ length: 8 }, (_, at) => create(slowKey, `${silent.url}/${at}`));
  const refusals = Promise.allSettled(slow);
  while (silent.received.length < 2) await sleep(20);
  const first = await Promise.race([
    create(goodKey, good.url).then(() => 'the good receiver'),
    refusals.then(() => 'the silent receivers'),
  ]);
  t.is(first, 'the good receiver', 'before all silent receivers are given up');
  const codes = (await refusals).map((one) =>
    one.status === 'rejected' ? (one.reason as { code: string }).code : one.status,
  );
  t.is(codes.filter((code) => code === 'challenge_failed').length, 2);
  t.is(codes.filter((code) => code === 'rate_limit_exceeded').length, 6);
  t.is(silent.received.length, 2);
  await t.throwsAsync(create(slowKey, `${silent.url}/8`), { message: /did not answer within/ });
});

test('without outbound calls a new watch is refused at once with the reason, and nothing is sent', async (t) => {
  const server = await borrowRedis((stop) => t.teardown(stop));
  const redis = new Redis(server.url);
  t.teardown(() => redis.disconnect());
  const receiver = await aReceiver(t);
  const work = refuseChallenges(server.url, {
    ...{ watchHosts: [receiver.host], log: pino({ level: 'silent' }) },
  });
  t.teardown(work.close);
  const keys = createKeystore(redis, { deadlineMs: 60_000 });
  const owner = { name: 'A', email: 'a@b.example', monthlyLimit: 100 };
  const { apiKey } = await keys.create(owner, 'live', NOW);
  const call = anApi({ keys, watches: createWatchRegistry({ redis, now: () => NOW }) });
  const create = (url: string) => {
    const flight = { origin: 'JFK', dest: 'LAX', airline: 'AA', date: '2026-03-20' };
    const query = new URLSearchParams({ ...flight, url, api_key: apiKey });
    return call(`/api/watches?${query}`, { method: 'POST' });
  };
  const { status, body } = await create(receiver.url);
  t.like({ status, ...body }, { status: 501, error: 'not_available' });
  t.regex(String(body['message']), /outbound calls are switched off \(OFFLINE=1\)/);
  t.like(await create('http://hooks.example/'), { status: 400, body: { param: 'url' } });
  t.is(receiver.received.length, 0);
  t.is((await keys.usage(apiKey, NOW)).monthCount, 0);
});

test('a worker skips a challenge whose caller no longer waits', async (t) => {
  const server = await borrowRedis((stop) => t.teardown(stop));
  const redis = new Redis(server.url);
  t.teardown(() => redis.disconnect());
  const request = { url: 'https://a.example', secret: 'whsec_a' };
  const id = await requestChallenge(redis, request);
  t.deepEqual(await takeChallenge(redis, 1), { id, ...request });
  await requestChallenge(redis, request);
  await sleep(7_100);
  t.is(await redis.llen('hw:watches:challenges'), 1);
  t.is(await takeChallenge(redis, 1), undefined);
});
