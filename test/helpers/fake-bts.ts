import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ExecutionContext } from 'ava';

/** What the server does to one request instead of answering it properly. */
export type Trouble =
  /** Sends half of the bytes, then drops the connection. */
  | 'cut'
  /** Sends half of the bytes, then nothing. */
  | 'stall'
  /** Accepts the request and never answers. */
  | 'silence'
  /** 200 with a web page, as BTS does for months that are not out. */
  | 'page'
  /** The same page, called a zip. */
  | 'disguised-page'
  | { status: number; headers?: Record<string, string> };

export type FakeBts = {
  /** Base address, as BTS_BASE_URL. */
  url: string;
  /** Puts a file there, or a new version of it. */
  put: (name: string, content: string | Buffer, options?: { lastModified?: Date }) => void;
  /** Makes the next requests for a file go wrong, one after another. */
  trouble: (name: string, ...troubles: Trouble[]) => void;
  /** Requests so far: `GET name` with the headers that matter, and the status sent. */
  requests: string[];
};

type StoredFile = { content: Buffer; etag: string; lastModified: string };

const PAGE = '<!DOCTYPE html><html><body>This page cannot be found</body></html>';

/** A file server that speaks like BTS's, on a port of its own, closed at the end of the test. */
export async function fakeBts(t: ExecutionContext): Promise<FakeBts> {
  const files = new Map<string, StoredFile>();
  const troubles = new Map<string, Trouble[]>();
  const requests: string[] = [];
  let versions = 0;
  const server = createServer((request, response) => {
    const name = decodeURIComponent((request.url ?? '').replace(/^\/PREZIP\//, ''));
    const file = files.get(name);
    const trouble = troubles.get(name)?.shift();
    const isAnswered = trouble !== undefined && makeTrouble(trouble, response, file);
    if (!isAnswered) answer(request, response, file, trouble);
    requests.push(lineOf(request, name, response.statusCode));
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
    trouble: (name, ...list) => void troubles.set(name, list),
    requests,
  };
}

/** Whether the trouble is the whole answer. */
function makeTrouble(
  trouble: Trouble,
  response: ServerResponse,
  file: StoredFile | undefined,
): boolean {
  if (trouble === 'silence') return true;
  if (trouble === 'page' || trouble === 'disguised-page') {
    const type = trouble === 'page' ? 'text/html; charset=utf-8' : 'application/x-zip-compressed';
    response.writeHead(200, { 'content-type': type }).end(PAGE);
    return true;
  }
  if (typeof trouble === 'object') {
    response.writeHead(trouble.status, trouble.headers).end();
    return true;
  }
  return file === undefined;
}

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  file: StoredFile | undefined,
  trouble: Trouble | undefined,
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
  if (trouble === undefined) return void response.end(file.content.subarray(start));
  const half = start + Math.floor((size - start) / 2);
  response.write(file.content.subarray(start, half), () => {
    // A moment, so that the bytes are with the client before the connection goes.
    if (trouble === 'cut') setTimeout(() => response.destroy(), 50);
  });
}

function lineOf({ method, headers }: IncomingMessage, name: string, status: number): string {
  const told = ['if-none-match', 'range', 'if-range'] as const;
  const given = told.flatMap((header) =>
    headers[header] ? [`${header}: ${headers[header]}`] : [],
  );
  return [`${method} ${name}`, ...given, `-> ${status}`].join(' ');
}
