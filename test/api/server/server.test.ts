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

async function sendRequest(port: number, agent?: Agent): Promise<IncomingMessage> {
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

/**
 * Waits for several sweeps. Timers of equal length run in the order of their start, so the server's sweeps run first.
 */
async function severalSweeps(): Promise<void> {
  let turns = 0;
  for await (const _ of turnsOf(SWEEP_MS)) if (++turns === 4) return;
}

/** With these times, a stop never ends a connection. The stop is done only when no connection is open any more. */
const PATIENT: StopTimes = { lastAnswerMs: 0, idleMs: 600_000, drainMs: 600_000 };

test('a stopping server finishes open answers and accepts no new connection', async (t) => {
  const arrived = Promise.withResolvers<void>();
  const listener: RequestListener = (request, response) => {
    arrived.resolve();
    answering(300)(request, response);
  };
  const { port, close } = await aServer(t, listener, PATIENT);
  const pending = sendRequest(port);
  await arrived.promise;
  const closing = close();
  await t.throwsAsync(sendRequest(port), { code: 'ECONNREFUSED' });
  t.is((await pending).statusCode, 200);
  await closing;
});

test('a kept-alive connection delays the stop only until it has been idle for a while', async (t) => {
  const { port, close } = await aServer(t, answering(0), { ...PATIENT, idleMs: 1_000 });
  const agent = new Agent({ keepAlive: true });
  t.teardown(() => agent.destroy());
  t.is((await sendRequest(port, agent)).headers.connection, 'keep-alive');
  await close();
});

test('a caller on a kept-alive connection gets one more answer, which announces the end', async (t) => {
  const { port, close } = await aServer(t, answering(0));
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  t.teardown(() => agent.destroy());
  await sendRequest(port, agent);
  const closing = close();
  const last = await sendRequest(port, agent);
  t.like(last, { statusCode: 200, headers: { connection: 'close' } });
  await closing;
});

test('a stop resets no connection, whether its request is a repeated, a first or an incomplete one', async (t) => {
  const { port, close } = await aServer(t, answering(0), PATIENT);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  t.teardown(() => agent.destroy());
  await sendRequest(port, agent);
  const [late, slow] = [connect(port), connect(port)];
  slow.write('GET / HTTP/1.1\r\n');
  await Promise.all([once(late, 'connect'), once(slow, 'connect')]);
  // Wait until the server itself, not only the system, has accepted the connections.
  await sendRequest(port);
  const closing = close();
  await severalSweeps();
  t.is((await sendRequest(port, agent)).headers.connection, 'close');
  late.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  slow.write('Host: x\r\n\r\n');
  for (const answer of await Promise.all([text(late), text(slow)])) {
    t.regex(answer, /^HTTP\/1\.1 200 OK\r\nConnection: close/);
  }
  await closing;
});

test('an answer that never ends is aborted after the time for open answers', async (t) => {
  const arrived = Promise.withResolvers<void>();
  const stop = { ...PATIENT, drainMs: 500 };
  const { port, close } = await aServer(t, () => arrived.resolve(), stop);
  const hanging = t.throwsAsync(sendRequest(port), { code: 'ECONNRESET' });
  await arrived.promise;
  await close();
  await hanging;
});

test('bytes that are not HTTP get 400 in JSON', async (t) => {
  const { port } = await aServer(t, answering(0));
  const answer = await sendRaw(port, 'hello\r\n\r\n');
  t.true(answer.startsWith('HTTP/1.1 400 Bad Request\r\n'));
  t.true(
    answer.endsWith('\r\n\r\n{"error":"bad_request","message":"The request is not valid HTTP."}'),
  );
});

test('an address longer than 16 KB gets 431 in JSON', async (t) => {
  const { port } = await aServer(t, answering(0));
  const answer = await sendRaw(port, `GET /${'x'.repeat(17_000)} HTTP/1.1\r\nHost: x\r\n\r\n`);
  t.true(answer.startsWith('HTTP/1.1 431 '));
  t.regex(answer, /\{"error":"bad_request","message":"[^"]*16384 bytes[^"]*"\}$/);
});

test('a port in use is an error, not a crash', async (t) => {
  const { port } = await aServer(t, answering(0));
  await t.throwsAsync(startServer(answering(0), { ...LOCAL, port }), { code: 'EADDRINUSE' });
});
