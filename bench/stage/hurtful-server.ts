import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ExecutionContext } from 'ava';

/** A server's answer: `intact` is complete, `cut` ends within the body, `unanswered` lacks complete headers. */
export type Way = {
  outcome: 'intact' | 'cut' | 'unanswered';
  answer: (socket: Socket, body: Buffer) => void | Promise<void>;
};

const half = (body: Buffer) => body.subarray(0, body.length / 2);
const head = (start: string, ...fields: string[]) => [start, ...fields, '', ''].join('\r\n');
const OK = 'HTTP/1.1 200 OK';
const OK_1_0 = 'HTTP/1.0 200 OK';
const CLOSE = 'connection: close';
const CHUNKED = 'transfer-encoding: chunked';
const lengthOf = (body: Buffer) => `content-length: ${body.length}`;
const chunk = (bytes: Buffer) =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
const LAST_CHUNK = '0\r\n\r\n';
const PIECES = 10;

/** Ways in which servers on the internet answer over HTTP. */
export const WAYS: Record<string, Way> = {
  'keeps the connection open': {
    outcome: 'intact',
    answer: (socket, body) => send(socket, head(OK, lengthOf(body)), body),
  },
  'closes the connection': {
    outcome: 'intact',
    answer: (socket, body) => sendAll(socket, head(OK, lengthOf(body), CLOSE), body),
  },
  'speaks HTTP/1.0': {
    outcome: 'intact',
    answer: (socket, body) => sendAll(socket, head(OK_1_0, lengthOf(body)), body),
  },
  'speaks HTTP/1.0 and sends no length': {
    outcome: 'intact',
    answer: (socket, body) => sendAll(socket, head(OK_1_0), body),
  },
  'closes a moment after the last byte': {
    outcome: 'intact',
    answer: async (socket, body) => {
      send(socket, head(OK, lengthOf(body), CLOSE), body);
      await sleep(20);
      socket.end();
    },
  },
  'sends chunks': {
    outcome: 'intact',
    answer: (socket, body) => send(socket, head(OK, CHUNKED), chunk(body), LAST_CHUNK),
  },
  'sends chunks and closes the connection': {
    outcome: 'intact',
    answer: (socket, body) => sendAll(socket, head(OK, CHUNKED, CLOSE), chunk(body), LAST_CHUNK),
  },
  'is slow': {
    outcome: 'intact',
    answer: async (socket, body) => {
      send(socket, head(OK, CHUNKED));
      const size = Math.ceil(body.length / PIECES);
      for (let at = 0; at < body.length; at += size) {
        await sleep(10);
        send(socket, chunk(body.subarray(at, at + size)));
      }
      send(socket, LAST_CHUNK);
    },
  },
  'closes in the middle': {
    outcome: 'cut',
    answer: (socket, body) => sendAll(socket, head(OK, lengthOf(body)), half(body)),
  },
  'speaks HTTP/1.0 and closes in the middle': {
    outcome: 'cut',
    answer: (socket, body) => sendAll(socket, head(OK_1_0, lengthOf(body)), half(body)),
  },
  'closes between two chunks': {
    outcome: 'cut',
    answer: (socket, body) => sendAll(socket, head(OK, CHUNKED), chunk(half(body))),
  },
  'closes in the middle of a chunk': {
    outcome: 'cut',
    answer: (socket, body) => sendAll(socket, head(OK, CHUNKED), half(chunk(body))),
  },
  'stops in the middle': {
    outcome: 'cut',
    answer: (socket, body) => send(socket, head(OK, lengthOf(body)), half(body)),
  },
  'resets the connection': {
    outcome: 'unanswered',
    answer: (socket) => void socket.resetAndDestroy(),
  },
  'closes without an answer': { outcome: 'unanswered', answer: (socket) => void socket.end() },
  'closes within the headers': {
    outcome: 'unanswered',
    answer: (socket) => void socket.end(`${OK}\r\ncontent-le`),
  },
  'never answers': { outcome: 'unanswered', answer: () => undefined },
  'does not speak HTTP': {
    outcome: 'unanswered',
    answer: (socket) => sendAll(socket, 'SSH-2.0-OpenSSH_9.6\r\n'),
  },
  'changes the protocol': {
    outcome: 'unanswered',
    answer: (socket) =>
      send(socket, head('HTTP/1.1 101 Switching Protocols', 'connection: upgrade', 'upgrade: x')),
  },
};

/** Starts a server that answers every request in this way; it is closed at the end of the test. */
export async function hurtfulServer(
  t: Pick<ExecutionContext, 'teardown'>,
  { answer }: Way,
  body: Buffer,
): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    let received = '';
    socket.on('error', () => undefined);
    socket.on('end', () => socket.end());
    socket.on('data', (bytes: Buffer) => {
      received += bytes.toString('latin1');
      if (!isComplete(received)) return;
      received = '';
      void answer(socket, body);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function isComplete(request: string): boolean {
  const end = request.indexOf('\r\n\r\n');
  const length = Number(/^content-length: (\d+)/im.exec(request)?.[1] ?? 0);
  return end !== -1 && request.length >= end + 4 + length;
}

function send(socket: Socket, ...parts: (string | Buffer)[]): void {
  if (socket.writable) socket.write(Buffer.concat(parts.map((part) => Buffer.from(part))));
}

/** Sends the parts and the end of the connection together, so that they arrive while the body is unread. */
function sendAll(socket: Socket, ...parts: (string | Buffer)[]): void {
  socket.end(Buffer.concat(parts.map((part) => Buffer.from(part))));
}
