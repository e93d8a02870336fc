import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { Webhook } from 'standardwebhooks';
import { createWatchRegistry } from '../../../api/live/watch-registry.ts';
import { openLiveScores } from '../../../api/server/live-scores.ts';
import { openWatchWork } from '../../../jobs/cli/watches/watch-work.ts';
import { serveChallenges } from '../../../jobs/wiring/watch-challenges.ts';
import { createGuardedPost } from '../../../pipelines/watches/guarded-post.ts';
import { createKeystore } from '../../../warehouse/keyring/keystore.ts';
import { readAttempts, type DeliveryAttempt } from '../../../warehouse/live/watch-messages.ts';
import { saveToRedis } from '../../../warehouse/store/redis.ts';
import { aReceiver, echo, type Respond } from '../../helpers/receiver.ts';
import { borrowRedis } from '../../helpers/redis.ts';
import { someStoreFiles } from '../../helpers/store-files.ts';
import { until as untilTrue } from '../helpers/command.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const FLIGHT = { origin: 'JFK', dest: 'LAX', airline: 'DL', date: '2026-11-20' };
/** Rates of late flights of two stores, and the scores of the flight. */
const [CALM, RISKY] = [{ delayed: 5 }, { delayed: 60 }];

/** A Redis with a store and a worker of watches. `publish` replaces the store. */
async function aWatchWorld(t: ExecutionContext, hosts: string[]) {
  const server = await borrowRedis((stop) => t.teardown(stop));
  const redis = new Redis(server.url, { maxRetriesPerRequest: null });
  t.teardown(() => redis.disconnect());
  const clock = { at: new Date('2026-11-02T12:00:00Z') };
  const now = () => clock.at;
  const log = pino({ level: 'silent' });
  let published = 0;
  const publish = async (store: { delayed: number }) => {
    published += 1;
    const builtAt = `2026-11-01T02:30:0${published}Z`;
    await saveToRedis(redis, await someStoreFiles({ ...store, builtAt }));
  };
  await publish(CALM);
  const config = {
    ...{ redisUrl: server.url, dataDir: await tempDir(t), modelDeadlineMs: 200 },
    watchHosts: hosts,
  };
  const keys = createKeystore(redis, { deadlineMs: 60_000 });
  const scores = await openLiveScores({ ...config, redis, now, log });
  t.teardown(scores.close);
  const allowedHosts = new Set(hosts);
  const post = createGuardedPost({ deadlineMs: 6_000, allowedHosts });
  const challenges = serveChallenges(server.url, { post, allowedHosts, now, log });
  t.teardown(challenges.close);
  const registry = createWatchRegistry({ redis, now });
  const current = async () => {
    const { score, label } = (await scores.score(FLIGHT))!;
    return { score, label, at: now().toISOString() };
  };
  const newKey = async (monthlyLimit = 1_000) =>
    (await keys.create({ name: 'A', email: 'a@b.example', monthlyLimit }, 'live', now())).apiKey;
  const watch = (apiKey: string, url: string, points = 10) =>
    registry.create(apiKey, { flight: FLIGHT, url, points, hasBand: true }, current);
  const startWorker = async (postDeadlineMs = 60_000) => {
    const work = await openWatchWork(config, {
      ...{ redis, log, now },
      timing: {
        ...{ scanEveryMs: 100, recoverEveryMs: 100, waitMs: () => 100, postDeadlineMs },
      },
    });
    t.teardown(() => work.close(1_000));
    return work;
  };
  return { redis, clock, keys, registry, publish, scores, newKey, watch, startWorker };
}

const until = (isTrue: () => boolean | Promise<boolean>) =>
  untilTrue('the condition holds', isTrue);

test('a new store that changes a score notifies each watcher once, with the score that the API gives', async (t) => {
  const receiver = await aReceiver(t);
  const { publish, scores, newKey, watch, startWorker, keys, clock } = await aWatchWorld(t, [
    receiver.host,
  ]);
  const apiKey = await newKey();
  const first = await watch(apiKey, receiver.url);
  const deaf = await watch(apiKey, receiver.url, 100);
  await startWorker();
  await publish(RISKY);
  const changes = () => receiver.received.filter(({ message }) => message.type === 'score.changed');
  await until(() => changes().length >= 2);
  const current = (await scores.score(FLIGHT))!;
  t.true(current.score - first.known.score >= 10, `${first.known.score} to ${current.score}`);
  const [change] = changes();
  t.like(change?.message.data, {
    input: { origin: 'JFK', destination: 'LAX', airline: 'DL', flight_date: '2026-11-20' },
    ...{ score: current.score, label: current.label, store_version: current.storeVersion },
    ...{ previous_score: first.known.score, previous_label: first.known.label },
  });
  // The other watch is sent the new band only.
  t.deepEqual(
    changes()
      .map(({ message }) => String(message.data['watch']))
      .toSorted(),
    [first.watch.id, deaf.watch.id].toSorted(),
  );
  const { body = '', headers = {} } = change ?? {};
  const at = new Date(Number(headers['webhook-timestamp']) * 1_000);
  const signature = new Webhook(first.secret).sign(headers['webhook-id'] ?? '', at, body);
  t.is(headers['webhook-signature'], signature);
  await publish({ delayed: 61 });
  await until(async () => (await scores.score(FLIGHT))!.storeVersion !== current.storeVersion);
  await sleep(500);
  t.is(changes().length, 2, 'a change of a few points is not sent');
  t.is((await keys.usage(apiKey, clock.at)).monthCount, 2, 'each accepted message is one call');
});

test('two workers send one message, in the order of the changes, although the receiver fails at first', async (t) => {
  let failures = 3;
  const receiver = await aReceiver(t, ({ message }, response) => {
    if (message.type === 'watch.challenge') return echo({ message } as never, response);
    response.writeHead(failures-- > 0 ? 503 : 204).end();
  });
  const { redis, publish, scores, newKey, watch, startWorker, registry } = await aWatchWorld(t, [
    receiver.host,
  ]);
  const apiKey = await newKey();
  const { watch: stored } = await watch(apiKey, receiver.url);
  await Promise.all([startWorker(), startWorker()]);
  const scoreAfter = async (store: { delayed: number }) => {
    const before = (await scores.score(FLIGHT))!.storeVersion;
    await publish(store);
    await until(async () => (await scores.score(FLIGHT))!.storeVersion !== before);
    const { score } = (await scores.score(FLIGHT))!;
    await until(async () => {
      const { listed } = await registry.list(apiKey);
      return listed[0]?.known.score === score;
    });
    return score;
  };
  const expected = [await scoreAfter(RISKY), await scoreAfter(CALM), await scoreAfter(RISKY)];
  const accepted = async () =>
    (await readAttempts(redis, stored.id)).filter(({ outcome }) => outcome === 'delivered');
  await until(async () => (await accepted()).length === 3);
  await sleep(300);
  const sent = receiver.received.filter(({ message }) => message.type === 'score.changed');
  const ids = [...new Set(sent.map(({ headers }) => headers['webhook-id']))];
  t.is(ids.length, 3);
  t.is(sent.length, 6, 'three attempts failed');
  const scoreOf = (id: string | undefined) =>
    sent.find(({ headers }) => headers['webhook-id'] === id)?.message.data['score'];
  t.deepEqual(ids.map(scoreOf), expected);
  t.deepEqual(
    (await accepted()).map(({ id }) => id).toReversed(),
    ids.map(String),
    'a message waits until the former message is accepted',
  );
});

const hostile: [title: string, respond: Respond, reason: RegExp][] = [
  ['hangs', () => undefined, /did not answer within 0\.5 s/],
  [
    'redirects to a private address',
    (_, response) => response.writeHead(302, { location: 'http://10.0.0.1/' }).end(),
    /answered 302/,
  ],
  ['breaks the connection', (_, response) => response.destroy(), /unreachable/],
];

for (const [title, respond, reason] of hostile) {
  test(`a receiver that ${title} delays nobody, loses nothing and costs nothing`, async (t) => {
    const [bad, good] = [await aReceiver(t), await aReceiver(t)];
    const { redis, publish, newKey, watch, startWorker, keys, clock } = await aWatchWorld(t, [
      bad.host,
      good.host,
    ]);
    const [badKey, goodKey] = [await newKey(), await newKey()];
    const stored: string[] = [];
    for (let at = 0; at < 151; at += 1) stored.push((await watch(badKey, bad.url)).watch.id);
    await watch(goodKey, good.url);
    bad.respond = respond;
    await startWorker(title === 'hangs' ? 500 : undefined);
    await publish(RISKY);
    await until(() => good.received.some(({ message }) => message.type === 'score.changed'));
    let attempts: DeliveryAttempt[] = [];
    await until(async () => {
      attempts = (await Promise.all(stored.map((id) => readAttempts(redis, id)))).flat();
      return attempts.length > 0;
    });
    t.is(attempts[0]?.outcome, 'failed');
    t.regex(attempts[0]?.reason ?? '', reason);
    bad.respond = echo;
    await until(async () => (await redis.scard('hw:watches:pending')) === 0);
    t.is((await keys.usage(badKey, clock.at)).monthCount, 151);
  });
}

test('a receiver that vanishes gets a message for a day; then the message is dropped', async (t) => {
  const receiver = await aReceiver(t);
  const { redis, clock, publish, newKey, watch, startWorker } = await aWatchWorld(t, [
    receiver.host,
  ]);
  const { watch: stored } = await watch(await newKey(), receiver.url);
  receiver.respond = (_, response) => response.writeHead(404).end();
  await startWorker();
  await publish(RISKY);
  await until(async () => (await readAttempts(redis, stored.id)).length > 1);
  clock.at = new Date(clock.at.getTime() + 86_400_001);
  await until(async () => (await redis.scard('hw:watches:pending')) === 0);
  t.is((await readAttempts(redis, stored.id))[0]?.outcome, 'dropped');
});

test('410 deletes the watch, and an exhausted quota delays its messages', async (t) => {
  const [gone, poor] = [await aReceiver(t), await aReceiver(t)];
  const { redis, publish, newKey, watch, startWorker, registry } = await aWatchWorld(t, [
    gone.host,
    poor.host,
  ]);
  const [goneKey, poorKey] = [await newKey(), await newKey(1)];
  await watch(goneKey, gone.url);
  const { watch: waiting } = await watch(poorKey, poor.url);
  await createKeystore(redis).admit(poorKey, 1, new Date('2026-11-02T12:00:00Z'));
  gone.respond = (_, response) => response.writeHead(410).end();
  await startWorker();
  await publish(RISKY);
  await until(async () => (await registry.list(goneKey)).listed.length === 0);
  await until(async () => (await readAttempts(redis, waiting.id)).length > 0);
  const [attempt] = await readAttempts(redis, waiting.id);
  t.is(attempt?.reason, 'the monthly limit of calls is reached');
  t.is(poor.received.length, 1, 'only the challenge was sent');
});

test('watches end with their key, and three days after the date of their flight', async (t) => {
  const receiver = await aReceiver(t);
  const { clock, publish, keys, newKey, watch, startWorker, registry } = await aWatchWorld(t, [
    receiver.host,
  ]);
  const [active, inactive] = [await newKey(), await newKey()];
  await watch(active, receiver.url);
  await watch(inactive, receiver.url);
  await keys.setActive(inactive.slice(0, 14), false, clock.at);
  await startWorker();
  await until(async () => (await registry.list(inactive)).listed.length === 0);
  t.is((await registry.list(active)).listed.length, 1);
  clock.at = new Date('2026-11-24T00:00:01Z');
  await publish(RISKY);
  await until(async () => (await registry.list(active)).listed.length === 0);
  t.deepEqual(
    receiver.received.map(({ message }) => message.type),
    ['watch.challenge', 'watch.challenge'],
  );
});
