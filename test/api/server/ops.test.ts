import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import test from 'ava';
import type { Redis } from 'ioredis';
import { pino } from 'pino';
import { openOps } from '../../../api/server/ops.ts';
import {
  createEntryToken,
  consumeEntryToken,
  opsSessions,
} from '../../../warehouse/live/ops-entry.ts';
import { fakeKeys, NOW } from '../helpers/app.ts';

/** Fakes the commands of Redis that sessions and the summary need. */
function aRedis() {
  const values = new Map<string, string>();
  const redis = {
    get: async (key: string) => values.get(key) ?? null,
    set: async (key: string, value: string) => void values.set(key, value),
    del: async (key: string) => Number(values.delete(key)),
  } as unknown as Redis;
  return { values, redis };
}

test('a session is stored under the hash of its id, for all processes, until it ends', async (t) => {
  const { values, redis } = aRedis();
  const sessions = opsSessions(redis);
  await sessions.set('the id', { prefix: 'hw_live_a' }, 1_000);
  t.notRegex([...values.keys()].join(' '), /the id/);
  t.deepEqual(await opsSessions(redis).get('the id'), { prefix: 'hw_live_a' });
  await sessions.destroy('the id');
  t.is(await sessions.get('the id'), undefined);
});

test('a token works once, and only until a newer token is created; only its hash is stored', async (t) => {
  const { values, redis } = aRedis();
  t.false(await consumeEntryToken(redis, ''), 'no token exists');
  const [former, token] = [await createEntryToken(redis), await createEntryToken(redis)];
  t.regex(token, /^[\w-]{43}$/);
  t.false([...values.values()].join(' ').includes(token));
  t.false(await consumeEntryToken(redis, former));
  t.false(await consumeEntryToken(redis, `${token}x`));
  const results = await Promise.all([
    consumeEntryToken(redis, token),
    consumeEntryToken(redis, token),
  ]);
  t.is(results.filter(Boolean).length, 1);
  t.false(await consumeEntryToken(redis, token));
});

/** Logs in by a one-time address and returns the session cookie. */
async function sessionAt(port: number, redis: Redis): Promise<string> {
  const entered = await fetch(
    `http://127.0.0.1:${port}/ops/login?token=${await createEntryToken(redis)}`,
  );
  return entered.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

test("the operators' pages open with the first request, and their queues close with them", async (t) => {
  let closeCount = 0;
  const operations = {
    readState: async () => ({ queues: [], workers: [], schedules: [] }),
    readJob: async () => undefined,
    enqueue: async () => 'a-job',
    boards: () => [],
    close: async () => void (closeCount += 1),
  };
  const { redis } = aRedis();
  const ops = openOps({
    ...{ hasWrites: false, requestLinesPerS: 1_000 },
    redis,
    openOperations: async () => operations,
    keys: fakeKeys({}),
    now: () => NOW,
    log: pino({ level: 'silent' }),
  });
  await ops.close();
  t.is(closeCount, 0, 'no queue was opened');
  const server = createServer(ops.handle).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const cookie = await sessionAt(port, redis);
  for (const path of ['/ops', '/ops/jobs']) {
    const page = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { cookie } });
    t.is(page.status, 200, path);
    t.regex(await page.text(), /<h1/);
  }
  server.close();
  server.closeAllConnections();
  await ops.close();
  t.is(closeCount, 1);
});

test('if the queues cannot be opened, the next request tries again', async (t) => {
  let openCount = 0;
  const operations = {
    readState: async () => ({ queues: [], workers: [], schedules: [] }),
    readJob: async () => undefined,
    enqueue: async () => 'a-job',
    boards: () => [],
    close: async () => undefined,
  };
  const { redis } = aRedis();
  const ops = openOps({
    ...{ hasWrites: false, requestLinesPerS: 1_000 },
    redis,
    openOperations: async () => {
      openCount += 1;
      if (openCount < 3) throw new Error('no memory');
      return operations;
    },
    keys: fakeKeys({}),
    now: () => NOW,
    log: pino({ level: 'silent' }),
  });
  const server = createServer(ops.handle).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(async () => {
    server.close();
    server.closeAllConnections();
    await ops.close();
  });
  const { port } = server.address() as AddressInfo;
  const cookie = await sessionAt(port, redis);
  const statuses = [];
  // Each request to one of these two pages tries once to open the operations.
  for (const path of ['/ops/jobs', '/ops/queues', '/ops/jobs', '/ops/queues']) {
    const page = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { cookie } });
    statuses.push(page.status);
  }
  t.deepEqual(statuses, [500, 500, 200, 200]);
});
