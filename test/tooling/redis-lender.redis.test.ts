import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { Redis } from 'ioredis';
import { lendRedis } from '../helpers/redis-lender.ts';
import { until } from '../jobs/helpers/command.ts';

/** A lender of the test's own, and a way to borrow from it. */
async function aLender(t: ExecutionContext) {
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

test('two who borrow at the same time have a Redis each', async (t) => {
  const { borrow } = await aLender(t);
  const [one, two] = await Promise.all([borrow(), borrow()]);
  t.not(one.url, two.url);
  await open(t, one.url).set('key', 'mine');
  t.is(await open(t, two.url).get('key'), null);
});

test('a Redis that comes back is lent again, without keys, scripts and connections of before', async (t) => {
  const { borrow } = await aLender(t);
  const first = await borrow();
  const before = new Redis(first.url, { retryStrategy: null });
  t.teardown(() => before.disconnect());
  await before.set('key', 'left behind');
  const sha = (await before.script('LOAD', 'return 1')) as string;
  const cut = once(before, 'end');
  first.loan.destroy();
  await cut;

  let second = await borrow();
  // Until it is clean it is not lent, but another is started.
  await until('it is lent again', async () => {
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
  const { lender, borrow } = await aLender(t);
  const { url } = await borrow();
  t.is(await open(t, url).ping(), 'PONG');
  await lender.close();
  const gone = connect(url);
  await t.throwsAsync(once(gone, 'connect'));
});
