import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { createWatchRegistry } from '../../api/live/watch-registry.ts';
import { refuseChallenges, serveChallenges } from '../../jobs/wiring/watch-challenges.ts';
import { createGuardedPost } from '../../pipelines/watches/guarded-post.ts';
import { accountOf } from '../../warehouse/keyring/charges.ts';
import { hashKey } from '../../warehouse/keyring/format.ts';
import { createKeystore } from '../../warehouse/keyring/keystore.ts';
import {
  releaseChallengeSlot,
  requestChallenge,
  takeChallenge,
  takeChallengeSlot,
} from '../../warehouse/live/watch-challenges.ts';
import { aReceiver } from '../helpers/receiver.ts';
import { borrowRedis } from '../helpers/redis.ts';
import { anApi, NOW } from './helpers/app.ts';

test('silent receivers of one account do not delay the challenges of another', async (t) => {
  const server = await borrowRedis((stop) => t.teardown(stop));
  const redis = new Redis(server.url);
  t.teardown(() => redis.disconnect());
  const clock = { ms: 0 };
  const pending: ServerResponse[] = [];
  const silent = await aReceiver(t, (_, response) => {
    // The slots of the account are taken now, and the other challenges have waited for long enough.
    if (pending.push(response) === 2) clock.ms = 2_000;
  });
  const good = await aReceiver(t);
  const allowedHosts = new Set([silent.host, good.host]);
  const challenges = serveChallenges(server.url, {
    post: createGuardedPost({ deadlineMs: 60_000, allowedHosts }),
    ...{ allowedHosts, now: () => NOW, log: pino({ level: 'silent' }) },
  });
  t.teardown(challenges.close);
  const keys = createKeystore(redis, { deadlineMs: 60_000 });
  const newKey = async () =>
    (await keys.create({ name: 'A', email: 'a@b.example', monthlyLimit: 100 }, 'live', NOW)).apiKey;
  const registry = createWatchRegistry({ redis, now: () => NOW, clockMs: () => clock.ms });
  const flight = { origin: 'JFK', dest: 'LAX', airline: 'AA', date: '2026-03-20' };
  const create = (apiKey: string, url: string) =>
    registry.create(apiKey, { flight, url, points: 10, hasBand: true }, () => ({
      ...{ score: 40, label: 'Moderate', at: NOW.toISOString() },
    }));
  const [slowKey, goodKey] = [await newKey(), await newKey()];
  const slow = Array.from({ length: 8 }, (_, at) => create(slowKey, `${silent.url}/${at}`));
  const refusals = Promise.allSettled(slow);
  while (pending.length < 2) await sleep(20);
  await create(goodKey, good.url);
  t.is(good.received.length, 1, 'while both silent receivers are pending');
  silent.respond = (_, response) => void response.end('{}');
  for (const response of pending) response.end('{}');
  const codes = (await refusals).map((one) =>
    one.status === 'rejected' ? (one.reason as { code: string }).code : one.status,
  );
  t.is(codes.filter((code) => code === 'challenge_failed').length, 2);
  t.is(codes.filter((code) => code === 'rate_limit_exceeded').length, 6);
  t.is(silent.received.length, 2);
  await t.throwsAsync(create(slowKey, `${silent.url}/8`), { message: /did not answer with \{/ });
});

test('waits for slots and for replies end on time, even if Redis is read only a few times', async (t) => {
  const server = await borrowRedis((stop) => t.teardown(stop));
  const redis = new Redis(server.url);
  t.teardown(() => redis.disconnect());
  const keys = createKeystore(redis, { deadlineMs: 60_000 });
  const owner = { name: 'A', email: 'a@b.example', monthlyLimit: 100 };
  const { apiKey } = await keys.create(owner, 'live', NOW);
  const account = await accountOf(redis, hashKey(apiKey));
  const slots = [await takeChallengeSlot(redis, account), await takeChallengeSlot(redis, account)];
  let reads = 0;
  // On a busy machine, a second may pass between two reads.
  const clockMs = () => 1_000 * reads++;
  const registry = createWatchRegistry({ redis, now: () => NOW, clockMs });
  const flight = { origin: 'JFK', dest: 'LAX', airline: 'AA', date: '2026-03-20' };
  const watch = { flight, url: 'https://a.example', points: 10, hasBand: true };
  const score = () => ({ score: 40, label: 'Moderate' as const, at: NOW.toISOString() });
  await t.throwsAsync(registry.create(apiKey, watch, score), { message: /are being verified/ });
  t.is(reads, 3, 'a wait of 2 s');
  for (const slot of slots) await releaseChallengeSlot(redis, slot as string);
  reads = 0;
  await t.throwsAsync(registry.create(apiKey, watch, score), { message: /No worker sent/ });
  t.is(reads, 10, 'two reads for the slot, then a wait of 7 s');
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
