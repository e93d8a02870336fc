import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { createApp } from '../../api/app.ts';
import { startServer, type RunningServer, type ServerLimits } from '../../api/server/server.ts';
import { scoreUrl, someDeps } from './helpers/app.ts';

const QUICK: ServerLimits = {
  headersMaxBytes: 16_384,
  headersTimeoutMs: 1_500,
  requestTimeoutMs: 3_000,
  checkEveryMs: 50,
  keepAliveMs: 1_000,
};

const HEALTH = 'GET /api/health HTTP/1.1\r\nHost: x\r\n';
const TOO_SLOW = '{"error":"bad_request","message":"The request took too long to arrive."}';

async function anApiServer(t: ExecutionContext): Promise<RunningServer> {
  const handle = createApp(someDeps()).callback();
  const listener: RequestListener = (request, response) => void handle(request, response);
  const server = await startServer(listener, { port: 0, host: '127.0.0.1' }, QUICK);
  t.teardown(server.close);
  return server;
}

function dial(t: ExecutionContext, port: number): Socket {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  t.teardown(() => socket.destroy());
  return socket;
}

/** Sends the bytes and returns all answers until the server closes; the caller's side stays open. */
async function answersTo(t: ExecutionContext, port: number, bytes: string): Promise<string> {
  const socket = dial(t, port);
  socket.write(bytes);
  return text(socket);
}

function bodiesOf(answers: string): string[] {
  return [...answers.matchAll(/\r\n\r\n(\{.*?\})(?=HTTP|$)/gs)].map(([, body = '']) => body);
}

test('headers that never end get 408, even if they arrive steadily', async (t) => {
  const { port } = await anApiServer(t);
  const socket = dial(t, port);
  const answer = text(socket);
  socket.write(HEALTH);
  const trickle = setInterval(() => socket.writable && socket.write('X-A: b\r\n'), 40);
  t.teardown(() => clearInterval(trickle));
  t.true((await answer).startsWith('HTTP/1.1 408 Request Timeout\r\n'));
  t.deepEqual(bodiesOf(await answer), [TOO_SLOW]);
});

test('a silent connection gets 408 and is closed', async (t) => {
  const { port } = await anApiServer(t);
  t.deepEqual(bodiesOf(await text(dial(t, port))), [TOO_SLOW]);
});

test('a slow body gets 408 too, after its request was answered', async (t) => {
  const { port } = await anApiServer(t);
  const socket = dial(t, port);
  const answers = text(socket);
  socket.write(`${HEALTH}Content-Length: 100000\r\n\r\n`);
  const trickle = setInterval(() => socket.writable && socket.write('x'), 40);
  t.teardown(() => clearInterval(trickle));
  const [first, second, ...others] = bodiesOf(await answers);
  t.like(JSON.parse(first ?? ''), { components: { api: 'ok' } });
  t.is(second, TOO_SLOW);
  t.deepEqual(others, []);
});

test('an idle kept-alive connection is closed without an answer', async (t) => {
  const { port } = await anApiServer(t);
  const answers = await answersTo(t, port, `${HEALTH}\r\n`);
  t.is(bodiesOf(answers).length, 1);
});

test('pipelined requests are answered separately and in order', async (t) => {
  const { port } = await anApiServer(t);
  const paths = ['/api/health', '/nothing', scoreUrl(), scoreUrl({ date: 'x' })];
  const requests = paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join('');
  const answers = await answersTo(t, port, requests);
  const statuses = [...answers.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => status);
  t.deepEqual(statuses, ['200', '404', '200', '400']);
});

for (const [kind, bytes] of [
  ['an address', `GET /${'x'.repeat(17_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
  ['a header', `${HEALTH}X-Long: ${'x'.repeat(17_000)}\r\n\r\n`],
  ['a cookie', `${HEALTH}Cookie: ${'a=b; '.repeat(4_000)}\r\n\r\n`],
  ['many headers', `${HEALTH}${'A: b\r\n'.repeat(3_000)}\r\n`],
] as const) {
  test(`${kind} over 16 KB gets 431 in JSON`, async (t) => {
    const { port } = await anApiServer(t);
    const answer = await answersTo(t, port, bytes);
    t.true(answer.startsWith('HTTP/1.1 431 '));
    t.deepEqual(bodiesOf(answer), [
      '{"error":"bad_request","message":"Address and headers together must not exceed 16384 bytes."}',
    ]);
  });
}

test('a megabyte of parameters gets 431; a hundred unknown parameters are ignored', async (t) => {
  const { port } = await anApiServer(t);
  const many = (count: number) =>
    `GET ${scoreUrl()}${'&a=b'.repeat(count)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
  t.regex(await answersTo(t, port, many(250_000)), /^HTTP\/1\.1 431 /);
  t.regex(await answersTo(t, port, many(100)), /^HTTP\/1\.1 200 /);
});

for (const [kind, bytes, status, error, message] of [
  [
    'no Host',
    'GET /api/health HTTP/1.1\r\n\r\n',
    400,
    'bad_request',
    'The header Host is missing.',
  ],
  [
    'CONNECT',
    'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n',
    405,
    'method_not_allowed',
    'Use GET or HEAD here.',
  ],
  [
    'OPTIONS *',
    'OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n',
    400,
    'bad_request',
    'The address is neither a path nor a URL.',
  ],
  [
    'a fragment after an apparent host',
    'POST //docs?name=Q#email=a@b.example#x HTTP/1.1\r\nHost: x\r\n\r\n',
    400,
    'bad_request',
    'The address has a fragment (#); write %23 in a value.',
  ],
  [
    'a broken URL',
    'GET http://[::1/api/health HTTP/1.1\r\nHost: x\r\n\r\n',
    400,
    'bad_request',
    'The address is neither a path nor a URL.',
  ],
  [
    'HTTP/2',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    400,
    'bad_request',
    'The request is not valid HTTP.',
  ],
  [
    'two lengths',
    `${HEALTH}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    400,
    'bad_request',
    'The request is not valid HTTP.',
  ],
] as const) {
  test(`${kind} gets ${status} in JSON, and the connection is closed`, async (t) => {
    const { port } = await anApiServer(t);
    const answer = await answersTo(t, port, bytes);
    t.true(answer.startsWith(`HTTP/1.1 ${status} `), answer);
    t.deepEqual(bodiesOf(answer), [JSON.stringify({ error, message })]);
  });
}

test('unknown expectations, unknown protocols and absolute URLs are answered as usual', async (t) => {
  const { port } = await anApiServer(t);
  const close = 'Connection: close\r\n\r\n';
  const health = [
    `${HEALTH}Expect: miracles\r\n${close}`,
    `${HEALTH}Upgrade: websocket\r\n${close}`,
    `GET http://elsewhere/api/health HTTP/1.1\r\nHost: x\r\n${close}`,
    'GET /api/health HTTP/1.0\r\n\r\n',
  ];
  for (const bytes of health) {
    t.regex(await answersTo(t, port, bytes), /^HTTP\/1\.1 200 /, bytes);
  }
});

test('the connection is closed after garbage even if the caller keeps its side open', async (t) => {
  const { port } = await anApiServer(t);
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  t.teardown(() => socket.destroy());
  socket.write('garbage\r\n\r\n');
  t.regex(await text(socket), /^HTTP\/1\.1 400 /);
  // Our side of the connection is still open. Writing fails after the server has closed its side.
  const gone = once(socket, 'error');
  const poke = setInterval(() => socket.write('more'), 50);
  t.teardown(() => clearInterval(poke));
  t.like(await gone, [{ syscall: 'write' }]);
});

test('a caller that disconnects during a refusal does not affect others', async (t) => {
  const { port } = await anApiServer(t);
  for (const bytes of ['CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n', 'garbage\r\n\r\n']) {
    const socket = dial(t, port);
    socket.write(bytes);
    await once(socket, 'data');
    socket.resetAndDestroy();
    await sleep(50);
    t.regex(await answersTo(t, port, `${HEALTH}Connection: close\r\n\r\n`), /^HTTP\/1\.1 200 /);
  }
});

test('a stop closes silent and half-sent connections, after the open answer is sent', async (t) => {
  const arrived = Promise.withResolvers<void>();
  const listener: RequestListener = (_request, response) => {
    arrived.resolve();
    void sleep(300).then(() => response.end('{"late":true}'));
  };
  const long = {
    ...QUICK,
    headersTimeoutMs: 30_000,
    requestTimeoutMs: 30_000,
    keepAliveMs: 30_000,
  };
  const server = await startServer(listener, { port: 0, host: '127.0.0.1' }, long);
  const silent = dial(t, server.port);
  const halfSent = dial(t, server.port);
  await Promise.all([once(silent, 'connect'), once(halfSent, 'connect')]);
  halfSent.write('GET / HTTP/1.1\r\nHo');
  const pending = dial(t, server.port);
  const answer = text(pending);
  pending.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await arrived.promise;
  const ends = [once(silent, 'close'), once(halfSent, 'close')];
  silent.resume();
  halfSent.resume();
  await server.close();
  t.regex(await answer, /\{"late":true\}/);
  await Promise.all(ends);
  t.true(silent.destroyed && halfSent.destroyed);
});
