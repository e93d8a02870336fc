import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { Redis } from 'ioredis';
import { lendRedis } from '../helpers/redis-lender.ts';
import { until } from '../jobs/helpers/command.ts';

/** Starts a lender for the test; returns it with a function that borrows from it. */
async function startLender(t: ExecutionContext) {
  const folder = await mkdtemp(join(tmpdir(), 'hw-lender-'));
  t.teardown(() => rm(folder, { recursive: true }));
  const socket = join(folder, 'redis');
  const lender = await lendRedis(socket);
  t.teardown(lender.close);
  const borrow = async (): Promise<{ loan: Socket; url: string }> => {
    const loan = connect(socket);
    t.teardown(() => loan.destroy());
    const [line] = (await once(loan, 'data')) as [Buffer];
    return { loan, url: line.toString().trim() };
  };
  return { lender, borrow };
}

function open(t: ExecutionContext, url: string): Redis {
  const redis = new Redis(url);
  redis.on('error', () => undefined);
  t.teardown(() => redis.disconnect());
  return redis;
}

test('two borrowers at the same time get different Redis servers', async (t) => {
  const { borrow } = await startLender(t);
  const [first, second] = await Promise.all([borrow(), borrow()]);
  t.not(first.url, second.url);
  await open(t, first.url).set('key', 'mine');
  t.is(await open(t, second.url).get('key'), null);
});

test('a returned Redis is lent again without its former keys, scripts and connections', async (t) => {
  const { borrow } = await startLender(t);
  const first = await borrow();
  const before = new Redis(first.url, { retryStrategy: null });
  t.teardown(() => before.disconnect());
  await before.set('key', 'left behind');
  const sha = (await before.script('LOAD', 'return 1')) as string;
  const cut = once(before, 'end');
  first.loan.destroy();
  await cut;

  let second = await borrow();
  // Until the Redis is wiped, the lender starts another one.
  await until('the Redis is lent again', async () => {
    if (second.url === first.url) return true;
    second.loan.destroy();
    second = await borrow();
    return false;
  });
  const redis = open(t, second.url);
  t.is(await redis.dbsize(), 0);
  t.deepEqual(await redis.script('EXISTS', sha), [0]);
});

test('a lender that closes ends every Redis', async (t) => {
  const { lender, borrow } = await startLender(t);
  const { url } = await borrow();
  t.is(await open(t, url).ping(), 'PONG');
  await lender.close();
  const socket = connect(url);
  await t.throwsAsync(once(socket, 'connect'));
});
