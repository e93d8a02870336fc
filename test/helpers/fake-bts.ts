import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ExecutionContext } from 'ava';

/** A fault of one answer. */
export type BtsFault =
  /** Sends half of the bytes, then closes the connection. */
  | 'cut'
  /** Sends half of the bytes, then nothing. */
  | 'stall'
  /** Accepts the request and never answers. */
  | 'silence'
  /** Answers 200 with a web page, as BTS does for unpublished months. */
  | 'page'
  /** Answers 200 with the same web page, but with the content type of a zip. */
  | 'disguised-page'
  | { status: number; headers?: Record<string, string> };

export type FakeBts = {
  /** Base address, for BTS_BASE_URL. */
  url: string;
  /** Stores a file, or a new version of it. */
  put: (name: string, content: string | Buffer, options?: { lastModified?: Date }) => void;
  /** Sets the faults of the next answers for a file, in order. */
  failNext: (name: string, ...faults: BtsFault[]) => void;
  /** Requests so far: `GET name` with validators and ranges, and the status of the answer. */
  requests: string[];
};

type StoredFile = { content: Buffer; etag: string; lastModified: string };

const PAGE = '<!DOCTYPE html><html><body>This page cannot be found</body></html>';

/** Starts a file server that behaves like BTS's; it is closed at the end of the test. */
export async function fakeBts(t: ExecutionContext): Promise<FakeBts> {
  const files = new Map<string, StoredFile>();
  const troubles = new Map<string, BtsFault[]>();
  const requests: string[] = [];
  let versions = 0;
  const server = createServer((request, response) => {
    const name = decodeURIComponent((request.url ?? '').replace(/^\/PREZIP\//, ''));
    const file = files.get(name);
    const fault = troubles.get(name)?.shift();
    const isAnswered = fault !== undefined && sendFault(fault, response, file);
    if (!isAnswered) answer(request, response, file, fault);
    requests.push(formatRequest(request, name, response.statusCode));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(async () => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/PREZIP`,
    put: (name, content, { lastModified = new Date('2025-06-01T00:00:00Z') } = {}) => {
      versions += 1;
      files.set(name, {
        content: Buffer.from(content),
        etag: `"v${versions}"`,
        lastModified: lastModified.toUTCString(),
      });
    },
    failNext: (name, ...list) => void troubles.set(name, list),
    requests,
  };
}

/** Sends the fault; returns whether this was the complete answer. */
function sendFault(
  fault: BtsFault,
  response: ServerResponse,
  file: StoredFile | undefined,
): boolean {
  if (fault === 'silence') return true;
  if (fault === 'page' || fault === 'disguised-page') {
    const type = fault === 'page' ? 'text/html; charset=utf-8' : 'application/x-zip-compressed';
    response.writeHead(200, { 'content-type': type }).end(PAGE);
    return true;
  }
  if (typeof fault === 'object') {
    response.writeHead(fault.status, fault.headers).end();
    return true;
  }
  return file === undefined;
}

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  file: StoredFile | undefined,
  fault: BtsFault | undefined,
): void {
  if (file === undefined) return void response.writeHead(404).end();
  const { headers } = request;
  const validators = { etag: file.etag, 'last-modified': file.lastModified };
  if (headers['if-none-match'] === file.etag) {
    return void response.writeHead(304, validators).end();
  }
  const from = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0);
  const isSame = [file.etag, file.lastModified].includes(String(headers['if-range']));
  const start = from > 0 && isSame ? from : 0;
  const size = file.content.length;
  if (start > 0 && start >= size) return void response.writeHead(416).end();
  const range = start > 0 ? { 'content-range': `bytes ${start}-${size - 1}/${size}` } : {};
  response.writeHead(start > 0 ? 206 : 200, {
    ...validators,
    ...range,
    'content-length': size - start,
    'content-type': 'application/x-zip-compressed',
  });
  if (request.method === 'HEAD') return void response.end();
  if (fault === undefined) return void response.end(file.content.subarray(start));
  const half = start + Math.floor((size - start) / 2);
  response.write(file.content.subarray(start, half), () => {
    // A short wait, so that the client gets the bytes before the connection closes.
    if (fault === 'cut') setTimeout(() => response.destroy(), 50);
  });
}

function formatRequest({ method, headers }: IncomingMessage, name: string, status: number): string {
  const LOGGED_HEADERS = ['if-none-match', 'range', 'if-range'] as const;
  const headerTexts = LOGGED_HEADERS.flatMap((header) =>
    headers[header] ? [`${header}: ${headers[header]}`] : [],
  );
  return [`${method} ${name}`, ...headerTexts, `-> ${status}`].join(' ');
}
