import type { RequestListener } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import test, { type ExecutionContext } from 'ava';
import { createApp } from '../../../api/app.ts';
import { startServer } from '../../../api/server/server.ts';
import { fakeKeys, scoreUrl, someDeps } from '../helpers/app.ts';

const GOOD = `GET ${scoreUrl()} HTTP/1.1\r\nHost: x\r\n\r\n`;

/** Starts an API. Returns a function that sends bytes to the API, and the keystore that counts the calls. */
async function anApi(t: ExecutionContext) {
  const keys = fakeKeys();
  const handle = createApp(someDeps({ keys })).callback();
  const listener: RequestListener = (request, response) => void handle(request, response);
  const server = await startServer(listener, { port: 0, host: '127.0.0.1' });
  t.teardown(server.close);
  /**
   * Sends the bytes. Returns the statuses of all answers until the server closes the connection. With `end`, the caller
   * closes its side after the bytes.
   */
  const send = async (bytes: string, half: 'end' | 'write') => {
    const socket = connect({ port: server.port, allowHalfOpen: true }).on('error', () => undefined);
    t.teardown(() => socket.destroy());
    socket[half](bytes);
    const answers = await text(socket);
    return [...answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));
  };
  return { send, keys };
}

test('a caller that closes its sending side after a request is answered and charged once, and the connection ends', async (t) => {
  const { send, keys } = await anApi(t);
  t.deepEqual(await send(GOOD, 'end'), [200]);
  t.is(keys.counted, 1);
  t.deepEqual(await send(GOOD.repeat(3), 'end'), [200, 200, 200]);
  t.is(keys.counted, 4);
});

test('a caller that closes its sending side within a request gets 400 and is not charged', async (t) => {
  const { send, keys } = await anApi(t);
  t.deepEqual(await send(GOOD.slice(0, -4), 'end'), [400]);
  t.is(keys.counted, 0);
});

test('valid requests before garbage are answered in order, then the garbage is refused', async (t) => {
  const { send, keys } = await anApi(t);
  t.deepEqual(await send(`${GOOD}garbage\r\n\r\n`, 'write'), [200, 400]);
  t.deepEqual(await send(`${GOOD}${GOOD}garbage\r\n\r\n${GOOD}`, 'write'), [200, 200, 400]);
  t.is(keys.counted, 3);
});

test('two Host headers are refused, regardless of case and value', async (t) => {
  const { send, keys } = await anApi(t);
  for (const second of ['Host: x', 'host: y', 'HOST:']) {
    t.deepEqual(await send(GOOD.replace('Host: x', `Host: x\r\n${second}`), 'write'), [400]);
  }
  t.is(keys.counted, 0);
});
