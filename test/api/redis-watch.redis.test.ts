import { setImmediate as nextTurn } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { Redis } from 'ioredis';
import { RefreshTimeoutError } from '../../api/errors.ts';
import { connectRedis } from '../../api/redis.ts';
import { watchRedis, type Refresh, type RedisWatchOptions } from '../../api/redis-watch.ts';
import { borrowRedis, startRedis } from '../helpers/redis.ts';
import { until } from '../jobs/helpers/command.ts';

const CHANNEL = 'a-channel';
/** Longer than any test, so that only a message can start a refresh. */
const NEVER_MS = 600_000;

/** Starts a watch and records its refreshes and failures; each refresh runs `work`. */
async function aWatch(
  t: ExecutionContext,
  work: Work,
  options: Partial<RedisWatchOptions> = {},
  own?: { url: string },
) {
  const { url } = own ?? (await borrowRedis((stop) => t.teardown(stop)));
  const publisher = new Redis(url);
  publisher.on('error', () => undefined);
  t.teardown(() => publisher.disconnect());
  const refreshes: Refresh[] = [];
  const failures: unknown[] = [];
  let arrived = 0;
  const watch = watchRedis({
    // The watch receives a message in the same turn as this listener.
    connect: () => connectRedis(url).on('message', () => (arrived += 1)),
    channel: CHANNEL,
    refreshEveryMs: NEVER_MS,
    refresh: async (refresh) => {
      refreshes.push(refresh);
      await work(refresh);
    },
    onError: (error) => failures.push(error),
    ...options,
  });
  t.teardown(watch.close);
  /** Publishes the messages and waits until the watch has received them. */
  const send = async (...messages: string[]) => {
    const all = arrived + messages.length;
    await until('the watch subscribes', async () => (await listeners(publisher)) === 1);
    for (const message of messages) await publisher.publish(CHANNEL, message);
    await until('all messages have arrived', () => arrived === all);
  };
  const refreshWith = async (message: string) => {
    await until(message, () => refreshes.some(({ messages }) => messages.includes(message)));
    return refreshes.find(({ messages }) => messages.includes(message)) as Refresh;
  };
  return { publisher, watch, refreshes, failures, send, refreshWith };
}

type Work = (refresh: Refresh) => Promise<unknown>;

async function listeners(redis: Redis): Promise<number> {
  const [, count] = (await redis.pubsub('NUMSUB', CHANNEL)) as [string, number];
  return count;
}

test('a watch refreshes when Redis is ready and after every message, and the refresh gets the message', async (t) => {
  const { refreshes, send, refreshWith } = await aWatch(t, () => Promise.resolve());
  await until('the first refresh', () => refreshes.length > 0);
  t.deepEqual(refreshes[0]?.messages, []);
  await send('one');
  t.deepEqual((await refreshWith('one')).messages, ['one']);
  await send('two');
  t.deepEqual((await refreshWith('two')).messages, ['two']);
});

test('without messages a watch refreshes at its interval', async (t) => {
  const { refreshes } = await aWatch(t, () => Promise.resolve(), { refreshEveryMs: 20 });
  await until('several refreshes', () => refreshes.length > 5);
  t.true(refreshes.every(({ messages }) => messages.length === 0));
});

test('messages during a refresh cause one more refresh, which begins after it', async (t) => {
  const gate = Promise.withResolvers<void>();
  let atOnce = 0;
  let mostAtOnce = 0;
  const { refreshes, send, refreshWith } = await aWatch(t, async ({ messages }) => {
    mostAtOnce = Math.max(mostAtOnce, (atOnce += 1));
    if (messages.includes('hold')) await gate.promise;
    atOnce -= 1;
  });
  await send('hold');
  await refreshWith('hold');
  const before = refreshes.length;
  await send('a', 'b', 'c');
  t.is(refreshes.length, before);
  gate.resolve();
  t.deepEqual((await refreshWith('c')).messages, ['a', 'b', 'c']);
  await send('later');
  await refreshWith('later');
  t.is(refreshes.length, before + 2);
  t.is(mostAtOnce, 1);
});

test('a failed refresh is reported, and the next one runs', async (t) => {
  const { failures, send, refreshWith } = await aWatch(t, async ({ messages }) => {
    if (messages.includes('bad')) throw new Error('no good');
  });
  await send('bad');
  await refreshWith('bad');
  await send('good');
  await refreshWith('good');
  t.deepEqual(failures, [new Error('no good')]);
});

test('a hanging refresh is reported and aborted at its deadline, and the next one runs', async (t) => {
  const gate = Promise.withResolvers<void>();
  const work: Work = async ({ messages, signal }) => {
    if (messages.includes('hang')) await gate.promise;
    signal.throwIfAborted();
  };
  const { failures, send, refreshWith } = await aWatch(t, work, { deadlineMs: 100 });
  await send('hang');
  const hanging = await refreshWith('hang');
  await send('next');
  t.false((await refreshWith('next')).signal.aborted);
  t.true(hanging.signal.aborted);
  t.is(failures.length, 1);
  t.true(failures[0] instanceof RefreshTimeoutError);
  // The refresh ends later. It is not reported as a second failure.
  gate.resolve();
  await nextTurn();
  t.is(failures.length, 1);
});

test('an outage of Redis is not a failed refresh; after it the watch refreshes and subscribes again', async (t) => {
  const server = await startRedis((stop) => t.teardown(stop));
  const { refreshes, failures, send, refreshWith } = await aWatch(
    t,
    ({ redis, messages }) => (messages.includes('ask') ? redis.blpop('nothing', 0) : redis.ping()),
    { refreshEveryMs: 20 },
    server,
  );
  await send('ask');
  await refreshWith('ask');
  await server.kill();
  const during = refreshes.length;
  await server.restart();
  await until('the watch refreshes again', () => refreshes.length > during);
  await send('back');
  await refreshWith('back');
  t.deepEqual(failures, []);
});

test('closing aborts the running refresh and waits for it, and no further refresh begins', async (t) => {
  const gate = Promise.withResolvers<void>();
  let isDone = false;
  const { watch, refreshes, failures, send, refreshWith } = await aWatch(
    t,
    async ({ messages, signal }) => {
      if (!messages.includes('hold')) return;
      await gate.promise;
      await nextTurn();
      isDone = true;
      signal.throwIfAborted();
    },
  );
  await send('hold');
  const running = await refreshWith('hold');
  await send('one more refresh');
  const before = refreshes.length;
  const closed = watch.close();
  t.true(running.signal.aborted);
  t.false(isDone);
  gate.resolve();
  await closed;
  t.true(isDone);
  t.is(refreshes.length, before);
  t.deepEqual(failures, []);
});

test('a watch that is closed when Redis becomes ready does not refresh', async (t) => {
  const { url } = await borrowRedis((stop) => t.teardown(stop));
  let refreshes = 0;
  const connections: Redis[] = [];
  const closed = Promise.withResolvers<void>();
  const watch = watchRedis({
    connect: () => {
      // This listener runs before the listener of the watch.
      const redis = connectRedis(url).once('ready', () => closed.resolve(watch.close()));
      connections.push(redis);
      return redis;
    },
    channel: CHANNEL,
    refreshEveryMs: NEVER_MS,
    refresh: async () => void (refreshes += 1),
    onError: () => t.fail(),
  });
  await closed.promise;
  await until('both connections end', () => connections.every(({ status }) => status === 'end'));
  t.is(refreshes, 0);
});
