import { createServer, type RequestListener } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import {
  createGuardedPost,
  openConnections,
  ReceiverError,
  respectRetryAfter,
} from '../../../pipelines/watches/guarded-post.ts';

const MESSAGE = { headers: { 'content-type': 'application/json' }, body: '{}' };

/** Starts a receiver. Returns a function that posts to the receiver over shared connections. */
async function aReceiver(t: ExecutionContext, answer: RequestListener) {
  const counts = { connections: 0, requests: 0 };
  const server = createServer((request, response) => {
    counts.requests += 1;
    request.resume();
    answer(request, response);
  });
  server.on('connection', () => (counts.connections += 1));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const connections = openConnections();
  t.teardown(() => {
    connections.close();
    server.close();
    server.closeAllConnections();
  });
  const limits = { deadlineMs: 10_000, allowedHosts: new Set([host]) };
  const post = createGuardedPost(limits, { connections });
  const url = `http://${host}/flights`;
  const isFree = () => Object.keys(connections.agentFor(new URL(url)).freeSockets).length > 0;
  return { counts, connections, post: () => post(url, MESSAGE), untilFree: () => until(isFree) };
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await sleep(1);
}

test('messages to one receiver share a connection', async (t) => {
  const receiver = await aReceiver(t, (_, response) => response.end('thanks'));
  const { counts, post, untilFree } = receiver;
  for (let sent = 0; sent < 5; sent += 1) {
    t.is((await post()).status, 200);
    await untilFree();
  }
  t.deepEqual(counts, { connections: 1, requests: 5 });
});

test('a message is sent again if the receiver closes a shared connection, but not if it closes a new one', async (t) => {
  const served = new WeakMap<object, number>();
  let isBreaking = false;
  const { counts, post, untilFree } = await aReceiver(t, ({ socket }, response) => {
    const number = (served.get(socket) ?? 0) + 1;
    served.set(socket, number);
    if (isBreaking || number > 1) socket.destroy();
    else response.writeHead(204).end();
  });
  t.is((await post()).status, 204);
  await untilFree();
  t.is((await post()).status, 204);
  await untilFree();
  t.deepEqual(counts, { connections: 2, requests: 3 });
  isBreaking = true;
  // First the shared connection breaks, then the new connection on which the message is sent again.
  await t.throwsAsync(post(), { instanceOf: ReceiverError });
  t.deepEqual(counts, { connections: 3, requests: 5 });
  await t.throwsAsync(post(), { instanceOf: ReceiverError });
  t.deepEqual(counts, { connections: 4, requests: 6 });
});

test('a receiver that answers without end is accepted and loses its connection', async (t) => {
  const closed = Promise.withResolvers<void>();
  const { post } = await aReceiver(t, ({ socket }, response) => {
    socket.once('close', () => closed.resolve());
    response.writeHead(200);
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(4_096)));
      response.once('drain', more);
    };
    more();
  });
  t.is((await post()).status, 200);
  await closed.promise;
  t.pass();
});

test('a receiver that names a time to wait gets no further message before it', async (t) => {
  const receiver = await aReceiver(t, (_, response) => {
    response.writeHead(429, { 'retry-after': '120' }).end();
  });
  const post = respectRetryAfter(() => receiver.post());
  const url = 'https://receiver.example/flights';
  t.deepEqual(await post(url, MESSAGE), { status: 429, text: '', retryAfterMs: 120_000 });
  const second = await post('https://receiver.example/other', MESSAGE);
  t.is(second.status, 429);
  t.true(second.retryAfterMs! > 0 && second.retryAfterMs! <= 120_000);
  t.is(receiver.counts.requests, 1);
  await post('https://other.example/', MESSAGE);
  t.is(receiver.counts.requests, 2, 'another receiver does not wait');
});

test('shared connections lead to no address in our own network', async (t) => {
  const { connections, counts } = await aReceiver(t, (_, response) => response.end());
  const post = createGuardedPost(
    { deadlineMs: 5_000, allowedHosts: new Set() },
    {
      connections,
      find: (_host, _options, done) => done(null, [{ address: '10.0.0.1', family: 4 }]),
    },
  );
  for (const url of ['https://receiver.example/', 'https://127.0.0.1/', 'https://[::1]/']) {
    await t.throwsAsync(post(url, MESSAGE), { message: 'the address is not on the internet' }, url);
  }
  t.is(counts.requests, 0);
});
