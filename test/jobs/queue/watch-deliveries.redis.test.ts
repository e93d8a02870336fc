import test, { type ExecutionContext } from 'ava';
import { Queue } from 'bullmq';
import { pino } from 'pino';
import { queueConnection } from '../../../jobs/queue/queues.ts';
import { collectAccounts, openDeliveries } from '../../../jobs/queue/watch-deliveries.ts';
import { DeliveryError } from '../../../pipelines/watches/deliver.ts';
import type { Retry } from '../../../warehouse/live/watch-messages.ts';
import { borrowRedis } from '../../helpers/redis.ts';
import { until } from '../helpers/command.ts';

const LONG_MS = 3_600_000;

/** Opens the deliveries of one account. `messages` contains the watch of each message that is not delivered yet. */
async function someDeliveries(t: ExecutionContext) {
  const server = await borrowRedis((stop) => t.teardown(stop));
  const connection = queueConnection(server.url);
  const messages = new Set<string>();
  const retries = new Map<string, Retry>();
  const state = { delivered: [] as string[], open: 0, mostOpen: 0, jobs: 0 };
  const world = { accept: async (_watch: string) => true };
  const deliveries = openDeliveries(connection, {
    openAccount: () => {
      state.jobs += 1;
      state.open += 1;
      state.mostOpen = Math.max(state.mostOpen, state.open);
      return {
        pending: async () => [...messages],
        retries: async () => retries,
        deliver: async (watch) => {
          if (!(await world.accept(watch))) throw new DeliveryError('refused', 0);
          messages.delete(watch);
          state.delivered.push(watch);
          return { delivered: 1, dropped: 0 };
        },
        saveRetry: async (watch, retry) => void retries.set(watch, retry),
        close: () => void (state.open -= 1),
      };
    },
    waitMs: () => LONG_MS,
    log: pino({ level: 'silent' }),
    workerOptions: {},
  });
  await deliveries.ready;
  const queue = new Queue('watch-deliveries', { connection });
  t.teardown(async () => {
    await deliveries.close();
    await deliveries.disconnect();
    await queue.close();
  });
  return { deliveries, queue, messages, retries, state, world };
}

const isDone = async (queue: Queue) =>
  Object.values(await queue.getJobCounts()).every((count) => count === 0);

test('messages that are recorded while the job of their account runs are delivered, by one job at a time', async (t) => {
  const { deliveries, queue, messages, state, world } = await someDeliveries(t);
  world.accept = async (watch) => {
    const number = Number(watch);
    if (number < 30) {
      messages.add(String(number + 1));
      await Promise.all([deliveries.request(['a']), deliveries.request(['a'])]);
    }
    return true;
  };
  messages.add('0');
  await deliveries.request(['a']);
  await until('all are delivered', () => isDone(queue));
  t.deepEqual(
    state.delivered,
    Array.from({ length: 31 }, (_, at) => String(at)),
  );
  t.is(state.mostOpen, 1);
});

test('a new message is delivered at once although another one waits for its retry', async (t) => {
  const { deliveries, queue, messages, retries, state, world } = await someDeliveries(t);
  world.accept = async (watch) => watch !== 'refused';
  messages.add('refused');
  await deliveries.request(['a']);
  await until('the job waits', async () => (await queue.getDelayedCount()) === 1);
  t.is(retries.get('refused')?.attempts, 1);
  // `recover` searches for messages without a job. It does not change the waiting job.
  await deliveries.recover(['a']);
  t.is(await queue.getDelayedCount(), 1);
  messages.add('new');
  await deliveries.request(['a']);
  await until('the new message is delivered', () => state.delivered.includes('new'));
  await until('the job waits again', async () => (await queue.getDelayedCount()) === 1);
  t.deepEqual([...messages], ['refused']);
  t.is(retries.get('refused')?.attempts, 1);
});

test('a request that arrives after the last message of a job was sent is not delayed by the retry of another', async (t) => {
  const { deliveries, queue, messages, retries, state, world } = await someDeliveries(t);
  world.accept = async (watch) => watch !== 'refused';
  const setRetry = retries.set.bind(retries);
  retries.set = (watch, retry) => {
    // This message is recorded before the job requests its retry. The request for the message would come earlier, too.
    messages.add('meanwhile');
    return setRetry(watch, retry);
  };
  messages.add('refused');
  await deliveries.request(['a']);
  await until('the message is delivered', () => state.delivered.includes('meanwhile'));
  await until('the job waits', async () => (await queue.getDelayedCount()) === 1);
  t.deepEqual([...messages], ['refused']);
});

test('the jobs of version 0.1.0, one for each watch, become the job of their account', async (t) => {
  const { queue, messages, state } = await someDeliveries(t);
  messages.add('1').add('2');
  await queue.addBulk(
    ['watch_1', 'watch_2'].map((jobId) => ({
      name: 'deliver',
      data: { account: 'a' },
      opts: { jobId, removeOnComplete: true, removeOnFail: true },
    })),
  );
  await until('all are delivered', () => isDone(queue));
  t.deepEqual(state.delivered.toSorted(), ['1', '2']);
  t.is(state.mostOpen, 1);
});

test('a scan requests each account at once, then at most twice a second, and at its end', async (t) => {
  const requests: string[][] = [];
  const accounts = collectAccounts(async (some) => void requests.push(some));
  const watch = (account: string) => ({ id: '1', account });
  await accounts.add([watch('a'), watch('a'), watch('b')]);
  t.deepEqual(requests, [['a', 'b']]);
  const startMs = performance.now();
  for (let at = 0; at < 1_000; at += 1) await accounts.add([watch('a'), watch('c')]);
  await accounts.flush();
  const most = 2 + Math.floor((performance.now() - startMs) / 500);
  t.true(requests.length <= 1 + most, `${requests.length} requests`);
  t.deepEqual(requests.at(-1), ['a', 'c']);
});
