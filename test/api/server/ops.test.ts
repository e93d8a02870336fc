import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import test from 'ava';
import type { Redis } from 'ioredis';
import { pino } from 'pino';
import { openOps } from '../../../api/server/ops.ts';
import { newEntry, takeEntry } from '../../../warehouse/live/ops-entry.ts';
import { opsSessions } from '../../../warehouse/live/ops-sessions.ts';
import { fakeKeys, NOW } from '../helpers/app.ts';

/** As much of a Redis as sessions and the summary need. */
function aRedis() {
  const kept = new Map<string, string>();
  const redis = {
    get: async (key: string) => kept.get(key) ?? null,
    set: async (key: string, value: string) => void kept.set(key, value),
    del: async (key: string) => Number(kept.delete(key)),
  } as unknown as Redis;
  return { kept, redis };
}

test('a session is kept under the hash of its id, for all processes, until it is ended', async (t) => {
  const { kept, redis } = aRedis();
  const here = opsSessions(redis);
  await here.set('the id', { prefix: 'hw_live_a' }, 1_000);
  t.notRegex([...kept.keys()].join(' '), /the id/);
  t.deepEqual(await opsSessions(redis).get('the id'), { prefix: 'hw_live_a' });
  await here.destroy('the id');
  t.is(await here.get('the id'), undefined);
});

test('a token is good once, until a newer one is made, and only its hash is kept', async (t) => {
  const { kept, redis } = aRedis();
  t.false(await takeEntry(redis, ''), 'none was made');
  const [former, token] = [await newEntry(redis), await newEntry(redis)];
  t.regex(token, /^[\w-]{43}$/);
  t.false([...kept.values()].join(' ').includes(token));
  t.false(await takeEntry(redis, former));
  t.false(await takeEntry(redis, `${token}x`));
  const takes = await Promise.all([takeEntry(redis, token), takeEntry(redis, token)]);
  t.is(takes.filter(Boolean).length, 1);
  t.false(await takeEntry(redis, token));
});

/** The cookie of who came by a one-time address. */
async function sessionAt(port: number, redis: Redis): Promise<string> {
  const entered = await fetch(`http://127.0.0.1:${port}/ops/login?token=${await newEntry(redis)}`);
  return entered.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

test('the pages of operators open with the first request, and what they ask through ends with them', async (t) => {
  let closed = 0;
  const operations = {
    look: async () => ({ queues: [], workers: [], schedules: [] }),
    ask: async () => 'asked',
    boards: () => [],
    close: async () => void (closed += 1),
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
  t.is(closed, 0, 'nothing was opened');
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
  t.is(closed, 1);
});

test('queues that could not be opened are opened with the next request', async (t) => {
  let opened = 0;
  const operations = {
    look: async () => ({ queues: [], workers: [], schedules: [] }),
    ask: async () => 'asked',
    boards: () => [],
    close: async () => undefined,
  };
  const { redis } = aRedis();
  const ops = openOps({
    ...{ hasWrites: false, requestLinesPerS: 1_000 },
    redis,
    openOperations: async () => {
      opened += 1;
      if (opened < 3) throw new Error('no memory');
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
  // The page of jobs and the board each try once.
  for (const path of ['/ops/jobs', '/ops/queues', '/ops/jobs', '/ops/queues']) {
    const page = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { cookie } });
    statuses.push(page.status);
  }
  t.deepEqual(statuses, [500, 500, 200, 200]);
});
