import { once } from 'node:events';
import { Agent, get, type IncomingMessage, type RequestListener } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setInterval as turnsOf, setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { startServer, SWEEP_MS, type StopTimes } from '../../../api/server/server.ts';

const LOCAL = { port: 0, host: '127.0.0.1' };

function answering(ms: number): RequestListener {
  return (_request, response) => void sleep(ms).then(() => response.end('{}'));
}

async function aServer(t: ExecutionContext, listener: RequestListener, stop?: StopTimes) {
  const server = await startServer(listener, LOCAL, undefined, stop);
  t.teardown(server.close);
  return server;
}

async function ask(port: number, agent?: Agent): Promise<IncomingMessage> {
  const [response] = (await once(get({ port, ...(agent && { agent }) }), 'response')) as [
    IncomingMessage,
  ];
  response.resume();
  await once(response, 'end');
  return response;
}

async function sendRaw(port: number, bytes: string): Promise<string> {
  const socket = connect(port);
  socket.write(bytes);
  return text(socket);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** Ends when the quiet ones have been looked for more than once: of timers of one length the first set is the first. */
async function severalSweeps(): Promise<void> {
  let turns = 0;
  for await (const _ of turnsOf(SWEEP_MS)) if (++turns === 4) return;
}

test('a server told to stop finishes the answer under way and takes no new connection', async (t) => {
  const arrived = Promise.withResolvers<void>();
  const { port, close } = await aServer(t, (request, response) => {
    arrived.resolve();
    answering(300)(request, response);
  });
  const underWay = ask(port);
  await arrived.promise;
  const closing = timed(close);
  await t.throwsAsync(ask(port), { code: 'ECONNREFUSED' });
  t.is((await underWay).statusCode, 200);
  t.true((await closing) < 1_000);
});

test('connections kept alive hold up the stop until they have been quiet for a second', async (t) => {
  const { port, close } = await aServer(t, answering(0));
  const agent = new Agent({ keepAlive: true });
  t.teardown(() => agent.destroy());
  t.is((await ask(port, agent)).headers.connection, 'keep-alive');
  t.true((await timed(close)) < 2_000);
});

test('a caller on a kept connection gets one more answer, which says that it ends', async (t) => {
  const { port, close } = await aServer(t, answering(0));
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  t.teardown(() => agent.destroy());
  await ask(port, agent);
  const closing = close();
  const last = await ask(port, agent);
  t.like(last, { statusCode: 200, headers: { connection: 'close' } });
  await closing;
});

test('nobody is reset by a stop: who asks again, who only now asks, and who has not ended asking', async (t) => {
  // However slow the machine is, nobody has been quiet for too long.
  const stop = { lastWordMs: 0, quietMs: 600_000, drainMs: 600_000 };
  const { port, close } = await aServer(t, answering(0), stop);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  t.teardown(() => agent.destroy());
  await ask(port, agent);
  const [late, slow] = [connect(port), connect(port)];
  slow.write('GET / HTTP/1.1\r\n');
  await Promise.all([once(late, 'connect'), once(slow, 'connect')]);
  // Taken up by the server, not only by the system.
  await ask(port);
  const closing = close();
  await severalSweeps();
  t.is((await ask(port, agent)).headers.connection, 'close');
  late.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  slow.write('Host: x\r\n\r\n');
  for (const answer of await Promise.all([text(late), text(slow)])) {
    t.regex(answer, /^HTTP\/1\.1 200 OK\r\nConnection: close/);
  }
  await closing;
});

test('an answer that never ends is cut off in time for the stop to take under 3 s', async (t) => {
  const arrived = Promise.withResolvers<void>();
  const { port, close } = await aServer(t, () => arrived.resolve());
  const hanging = t.throwsAsync(ask(port), { code: 'ECONNRESET' });
  await arrived.promise;
  t.true((await timed(close)) < 3_000);
  await hanging;
});

test('what is not HTTP is 400 in JSON', async (t) => {
  const { port } = await aServer(t, answering(0));
  const answer = await sendRaw(port, 'hello\r\n\r\n');
  t.true(answer.startsWith('HTTP/1.1 400 Bad Request\r\n'));
  t.true(answer.endsWith('\r\n\r\n{"error":"bad_request","message":"This is not HTTP."}'));
});

test('an address longer than 16 KB is 431 in JSON', async (t) => {
  const { port } = await aServer(t, answering(0));
  const answer = await sendRaw(port, `GET /${'x'.repeat(17_000)} HTTP/1.1\r\nHost: x\r\n\r\n`);
  t.true(answer.startsWith('HTTP/1.1 431 '));
  t.regex(answer, /\{"error":"bad_request","message":"[^"]*16384 bytes[^"]*"\}$/);
});

test('a port that is taken is an error, not a crash', async (t) => {
  const { port } = await aServer(t, answering(0));
  await t.throwsAsync(startServer(answering(0), { ...LOCAL, port }), { code: 'EADDRINUSE' });
});
