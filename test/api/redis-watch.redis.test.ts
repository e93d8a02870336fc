import { setImmediate as nextTurn } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { Redis } from 'ioredis';
import { LookLateError } from '../../api/errors.ts';
import { connectRedis } from '../../api/redis.ts';
import { watchRedis, type Look, type WatchOptions } from '../../api/redis-watch.ts';
import { borrowRedis, startRedis } from '../helpers/redis.ts';
import { until } from '../jobs/helpers/command.ts';

const CHANNEL = 'a-channel';
/** Longer than any test: what is looked at is asked for. */
const NEVER_MS = 600_000;

/** A watch on a Redis, its looks, and what it was told of; `work` is what each look does. */
async function aWatch(
  t: ExecutionContext,
  work: Work,
  options: Partial<WatchOptions> = {},
  own?: { url: string },
) {
  const { url } = own ?? (await borrowRedis((stop) => t.teardown(stop)));
  const publisher = new Redis(url);
  publisher.on('error', () => undefined);
  t.teardown(() => publisher.disconnect());
  const looks: Look[] = [];
  const failures: unknown[] = [];
  let arrived = 0;
  const watch = watchRedis({
    // The watch hears of a message in the same turn as this listener.
    connect: () => connectRedis(url).on('message', () => (arrived += 1)),
    channel: CHANNEL,
    everyMs: NEVER_MS,
    look: async (look) => {
      looks.push(look);
      await work(look);
    },
    failed: (error) => failures.push(error),
    ...options,
  });
  t.teardown(watch.close);
  /** Sends the messages and waits until the watch has heard them. */
  const say = async (...messages: string[]) => {
    const all = arrived + messages.length;
    await until('it listens', async () => (await listeners(publisher)) === 1);
    for (const message of messages) await publisher.publish(CHANNEL, message);
    await until('it has heard', () => arrived === all);
  };
  const lookWith = async (message: string) => {
    await until(message, () => looks.some(({ messages }) => messages.includes(message)));
    return looks.find(({ messages }) => messages.includes(message)) as Look;
  };
  return { publisher, watch, looks, failures, say, lookWith };
}

type Work = (look: Look) => Promise<unknown>;

async function listeners(redis: Redis): Promise<number> {
  const [, count] = (await redis.pubsub('NUMSUB', CHANNEL)) as [string, number];
  return count;
}

test('it looks when Redis is there, and again at every message, which the look is given', async (t) => {
  const { looks, say, lookWith } = await aWatch(t, () => Promise.resolve());
  await until('the first look', () => looks.length > 0);
  t.deepEqual(looks[0]?.messages, []);
  await say('one');
  t.deepEqual((await lookWith('one')).messages, ['one']);
  await say('two');
  t.deepEqual((await lookWith('two')).messages, ['two']);
});

test('without a message it looks every now and then', async (t) => {
  const { looks } = await aWatch(t, () => Promise.resolve(), { everyMs: 20 });
  await until('several looks', () => looks.length > 5);
  t.true(looks.every(({ messages }) => messages.length === 0));
});

test('whatever is said during a look is answered by one more look, which begins after it', async (t) => {
  const gate = Promise.withResolvers<void>();
  let atOnce = 0;
  let mostAtOnce = 0;
  const { looks, say, lookWith } = await aWatch(t, async ({ messages }) => {
    mostAtOnce = Math.max(mostAtOnce, (atOnce += 1));
    if (messages.includes('hold')) await gate.promise;
    atOnce -= 1;
  });
  await say('hold');
  await lookWith('hold');
  const before = looks.length;
  await say('a', 'b', 'c');
  t.is(looks.length, before);
  gate.resolve();
  t.deepEqual((await lookWith('c')).messages, ['a', 'b', 'c']);
  await say('later');
  await lookWith('later');
  t.is(looks.length, before + 2);
  t.is(mostAtOnce, 1);
});

test('a look that fails is told, and the next one looks again', async (t) => {
  const { failures, say, lookWith } = await aWatch(t, async ({ messages }) => {
    if (messages.includes('bad')) throw new Error('no good');
  });
  await say('bad');
  await lookWith('bad');
  await say('good');
  await lookWith('good');
  t.deepEqual(failures, [new Error('no good')]);
});

test('a look that hangs is given up: it is told, what it finds is not to be taken up, and the next one looks', async (t) => {
  const gate = Promise.withResolvers<void>();
  const work: Work = async ({ messages, signal }) => {
    if (messages.includes('hang')) await gate.promise;
    signal.throwIfAborted();
  };
  const { failures, say, lookWith } = await aWatch(t, work, { deadlineMs: 100 });
  await say('hang');
  const hanging = await lookWith('hang');
  await say('next');
  t.false((await lookWith('next')).signal.aborted);
  t.true(hanging.signal.aborted);
  t.is(failures.length, 1);
  t.true(failures[0] instanceof LookLateError);
  // It ends after all, and nobody is told twice.
  gate.resolve();
  await nextTurn();
  t.is(failures.length, 1);
});

test('an outage of Redis is no failed look; when it is back it is looked at, and listened to', async (t) => {
  const server = await startRedis((stop) => t.teardown(stop));
  const { looks, failures, say, lookWith } = await aWatch(
    t,
    ({ redis, messages }) => (messages.includes('ask') ? redis.blpop('nothing', 0) : redis.ping()),
    { everyMs: 20 },
    server,
  );
  await say('ask');
  await lookWith('ask');
  await server.kill();
  const during = looks.length;
  await server.restart();
  await until('it looks again', () => looks.length > during);
  await say('back');
  await lookWith('back');
  t.deepEqual(failures, []);
});

test('closing waits for the look under way, tells it to stop, and no look begins after it', async (t) => {
  const gate = Promise.withResolvers<void>();
  let isDone = false;
  const { watch, looks, failures, say, lookWith } = await aWatch(
    t,
    async ({ messages, signal }) => {
      if (!messages.includes('hold')) return;
      await gate.promise;
      await nextTurn();
      isDone = true;
      signal.throwIfAborted();
    },
  );
  await say('hold');
  const held = await lookWith('hold');
  await say('asks for one more');
  const before = looks.length;
  const closed = watch.close();
  t.true(held.signal.aborted);
  t.false(isDone);
  gate.resolve();
  await closed;
  t.true(isDone);
  t.is(looks.length, before);
  t.deepEqual(failures, []);
});

test('a watch that is closed as Redis becomes ready does not look', async (t) => {
  const { url } = await borrowRedis((stop) => t.teardown(stop));
  let looks = 0;
  const connections: Redis[] = [];
  const closed = Promise.withResolvers<void>();
  const watch = watchRedis({
    connect: () => {
      // Before the watch hears of it.
      const redis = connectRedis(url).once('ready', () => closed.resolve(watch.close()));
      connections.push(redis);
      return redis;
    },
    channel: CHANNEL,
    everyMs: NEVER_MS,
    look: async () => void (looks += 1),
    failed: () => t.fail(),
  });
  await closed.promise;
  await until('both connections end', () => connections.every(({ status }) => status === 'end'));
  t.is(looks, 0);
});
