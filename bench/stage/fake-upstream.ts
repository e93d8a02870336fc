import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { ExecutionContext } from 'ava';

/** Every way an upstream goes wrong; each stands for one address of `FakeUpstream.addressIn`. */
export const TROUBLES = [
  'refused',
  'unknown-host',
  'never-answers',
  'trickle',
  'status-429',
  'status-500',
  'html',
  'huge-body',
  'gzip-bomb',
  'to-loopback',
  'to-metadata',
  'to-file',
  'endless-redirects',
  'cut-json',
  'cut-connection',
] as const;

export type Trouble = (typeof TROUBLES)[number];

export type Answer = { status?: number; headers?: Record<string, string>; body: string | Buffer };

export type FakeUpstream = {
  /** Base address of a server that answers as it should. */
  url: string;
  /** Base address of a server with that trouble. */
  addressIn: (trouble: Trouble) => string;
  /** Paths with queries asked for so far, in order. */
  requests: string[];
  /** Bytes sent so far. */
  sentBytes: () => number;
};

/** What 429 asks for, in seconds. */
export const RETRY_AFTER_S = 120;

const HUGE_BYTES = 100_000_000;
const TRICKLE_MS = 1_000;

/**
 * A server on loopback, closed at the end of the test: it answers with what `serve` makes of the request,
 * and goes wrong in every way of TROUBLES at the addresses made for that.
 */
export async function fakeUpstream(
  t: Pick<ExecutionContext, 'teardown'>,
  serve: (url: URL, request: IncomingMessage) => Answer,
): Promise<FakeUpstream> {
  const requests: string[] = [];
  let sent = 0;
  const server = createServer((request, response) => {
    const asked = new URL(request.url ?? '/', url);
    const { socket } = request;
    response.on('close', () => {
      sent += socket.bytesWritten;
    });
    requests.push(asked.pathname + asked.search);
    const trouble = /^\/trouble\/([a-z\d-]+)/.exec(asked.pathname)?.[1] as Trouble | undefined;
    if (trouble) makeTrouble(trouble, asked, response);
    else send(response, serve(asked, request));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  const closed = await closedPort();
  return {
    url,
    requests,
    sentBytes: () => sent,
    addressIn: (trouble) => {
      if (trouble === 'refused') return `http://127.0.0.1:${closed}`;
      if (trouble === 'unknown-host') return 'http://nowhere.invalid';
      return `${url}/trouble/${trouble}`;
    },
  };
}

function send(response: ServerResponse, { status = 200, headers, body }: Answer): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
}

function makeTrouble(trouble: Trouble, asked: URL, response: ServerResponse): void {
  const to = (location: string) => response.writeHead(302, { location }).end();
  switch (trouble) {
    case 'never-answers':
      return;
    case 'trickle':
      return trickle(response);
    case 'status-429':
      return send(response, {
        status: 429,
        headers: { 'retry-after': `${RETRY_AFTER_S}` },
        body: '',
      });
    case 'status-500':
      return send(response, { status: 500, body: '{"error":true}' });
    case 'html':
      return send(response, {
        headers: { 'content-type': 'text/html' },
        body: '<html>Sorry</html>',
      });
    case 'huge-body':
      return pour(response);
    case 'gzip-bomb':
      return send(response, { headers: { 'content-encoding': 'gzip' }, body: bomb() });
    case 'to-loopback':
      // Another port: staying on the origin asked for is no escape.
      return void to('http://127.0.0.1:6379/');
    case 'to-metadata':
      return void to('http://169.254.169.254/latest/meta-data/');
    case 'to-file':
      return void to('file:///etc/passwd');
    case 'endless-redirects':
      return void to(nextHop(asked));
    case 'cut-json':
      return send(response, { body: '{"hourly":{"time":["2026-01-01T00:00",' });
    case 'cut-connection':
      response.writeHead(200, { 'content-length': 1_000 }).write('{"hourly":');
      return void setTimeout(() => response.destroy(), 20);
    case 'refused':
    case 'unknown-host':
      throw new Error(`${trouble} has no server`);
  }
}

/** Twenty hops, then an answer for whoever went that far. */
function nextHop(asked: URL): string {
  const hop = Number(asked.searchParams.get('hop') ?? 0) + 1;
  return hop > 20 ? '/' : `${asked.pathname}?hop=${hop}`;
}

function trickle(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  const timer = setInterval(() => response.write('['), TRICKLE_MS);
  response.on('close', () => clearInterval(timer));
}

function pour(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  const piece = Buffer.alloc(1_000_000, ' ');
  let left = HUGE_BYTES;
  const more = () => {
    while (left > 0 && !response.destroyed) {
      left -= piece.length;
      if (!response.write(piece)) {
        response.once('drain', more);
        return;
      }
    }
    response.end();
  };
  more();
}

let packed: Buffer | undefined;

/** 100 MB of blanks in 100 kB. */
function bomb(): Buffer {
  packed ??= gzipSync(Buffer.alloc(HUGE_BYTES, ' '));
  return packed;
}

async function closedPort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
