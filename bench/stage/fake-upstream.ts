import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { ExecutionContext } from 'ava';

/** The faults of upstreams; `FakeUpstream.faultUrl` has an address for each. */
export const FAULTS = [
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

export type Fault = (typeof FAULTS)[number];

export type Answer = { status?: number; headers?: Record<string, string>; body: string | Buffer };

export type FakeUpstream = {
  /** Base address of a server that answers correctly. */
  url: string;
  /** Returns the base address of a server with this fault. */
  faultUrl: (fault: Fault) => string;
  /** Paths and queries of the requests so far, in order. */
  requests: string[];
  /** Bytes sent so far. */
  sentBytes: () => number;
};

/** The Retry-After of 429 answers, in seconds. */
export const RETRY_AFTER_S = 120;

const HUGE_BYTES = 100_000_000;
const TRICKLE_MS = 1_000;

/**
 * Starts a server on loopback, which is closed at the end of the test. The server answers with the result of `serve`,
 * and has one faulty address for each fault in `FAULTS`.
 */
export async function fakeUpstream(
  t: Pick<ExecutionContext, 'teardown'>,
  serve: (url: URL, request: IncomingMessage) => Answer,
): Promise<FakeUpstream> {
  const requests: string[] = [];
  let sent = 0;
  const server = createServer((request, response) => {
    const requestUrl = new URL(request.url ?? '/', url);
    const { socket } = request;
    response.on('close', () => {
      sent += socket.bytesWritten;
    });
    requests.push(requestUrl.pathname + requestUrl.search);
    const fault = /^\/fault\/([a-z\d-]+)/.exec(requestUrl.pathname)?.[1] as Fault | undefined;
    if (fault) sendFault(fault, requestUrl, response);
    else send(response, serve(requestUrl, request));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  const closed = await findClosedPort();
  return {
    url,
    requests,
    sentBytes: () => sent,
    faultUrl: (fault) => {
      if (fault === 'refused') return `http://127.0.0.1:${closed}`;
      if (fault === 'unknown-host') return 'http://nowhere.invalid';
      return `${url}/fault/${fault}`;
    },
  };
}

function send(response: ServerResponse, { status = 200, headers, body }: Answer): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
}

function sendFault(fault: Fault, requestUrl: URL, response: ServerResponse): void {
  const to = (location: string) => response.writeHead(302, { location }).end();
  switch (fault) {
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
      return sendHugeBody(response);
    case 'gzip-bomb':
      return send(response, { headers: { 'content-encoding': 'gzip' }, body: gzipBomb() });
    case 'to-loopback':
      // Redirects to another port, because redirects within the requested origin are allowed.
      return void to('http://127.0.0.1:6379/');
    case 'to-metadata':
      return void to('http://169.254.169.254/latest/meta-data/');
    case 'to-file':
      return void to('file:///etc/passwd');
    case 'endless-redirects':
      return void to(nextHop(requestUrl));
    case 'cut-json':
      return send(response, { body: '{"hourly":{"time":["2026-01-01T00:00",' });
    case 'cut-connection':
      response.writeHead(200, { 'content-length': 1_000 }).write('{"hourly":');
      return void setTimeout(() => response.destroy(), 20);
    case 'refused':
    case 'unknown-host':
      throw new Error(`${fault} has no server`);
  }
}

/** Returns the next of twenty redirects. The last redirect leads to an answer. */
function nextHop(requestUrl: URL): string {
  const hop = Number(requestUrl.searchParams.get('hop') ?? 0) + 1;
  return hop > 20 ? '/' : `${requestUrl.pathname}?hop=${hop}`;
}

function trickle(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  const timer = setInterval(() => response.write('['), TRICKLE_MS);
  response.on('close', () => clearInterval(timer));
}

function sendHugeBody(response: ServerResponse): void {
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

let bombBytes: Buffer | undefined;

/** Returns 100 MB of blanks, gzipped to 100 kB. */
function gzipBomb(): Buffer {
  bombBytes ??= gzipSync(Buffer.alloc(HUGE_BYTES, ' '));
  return bombBytes;
}

async function findClosedPort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
