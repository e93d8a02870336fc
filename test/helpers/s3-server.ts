import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { ExecutionContext } from 'ava';

/**
 * A fault of some requests: an S3 error, a page with a status, a body cut in the middle, a
 * closed connection, or silence.
 */
export type S3Fault = { on: (request: string) => boolean; times: number } & (
  | { status: number; code: string }
  | { status: number; page: string }
  | { what: 'cut' | 'hang up' | 'silence' | 'cut put' }
);

export type S3Server = {
  url: string;
  /** Objects by `bucket/name`. */
  objects: Map<string, { body: Buffer; at: Date }>;
  /** Each request as `PUT bucket/name`. */
  requests: string[];
  /** Adds a fault that occurs `times` times. */
  fail: (fault: S3Fault) => void;
};

export const S3_KEY = { accessKeyId: 'test-key', secretAccessKey: 'test-secret' };

/**
 * Starts a server on loopback with the part of S3 that a lake needs; it checks every signature (SigV4).
 * The buckets already exist.
 */
export async function s3Server(t: ExecutionContext, buckets = ['lake']): Promise<S3Server> {
  const objects: S3Server['objects'] = new Map();
  const requests: string[] = [];
  const faults: S3Fault[] = [];
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '', 'http://here');
    const name = decodeURIComponent(url.pathname.slice(1));
    const requestLine = `${request.method} ${name}${url.search}`;
    requests.push(requestLine);
    const body = await buffer(request);
    const fault = faults.find(({ times, on }) => times > 0 && on(requestLine));
    if (fault) fault.times -= 1;
    if (fault && 'page' in fault) {
      return void response.writeHead(fault.status).end(fault.page);
    }
    if (fault && 'status' in fault) return refuse(response, fault.status, fault.code);
    if (fault?.what === 'hang up') return void response.destroy();
    if (fault?.what === 'silence') return;
    if (!hasValidSignature(request, url, body)) {
      return refuse(response, 403, 'SignatureDoesNotMatch');
    }
    if (!buckets.includes(name.split('/')[0] ?? '')) return refuse(response, 404, 'NoSuchBucket');
    if (request.method === 'PUT') {
      const signedHash = request.headers['x-amz-content-sha256'];
      const received = fault ? body.subarray(0, body.length / 2) : body;
      if (hash(received) !== signedHash) return refuse(response, 400, 'XAmzContentSHA256Mismatch');
      objects.set(name, { body, at: new Date() });
      return void response.writeHead(200).end();
    }
    if (request.method === 'DELETE') {
      objects.delete(name);
      return void response.writeHead(204).end();
    }
    if (url.searchParams.has('list-type')) return list(response, name, url.searchParams);
    const object = objects.get(name);
    if (!object) return refuse(response, 404, 'NoSuchKey');
    response.writeHead(200, { 'content-length': object.body.length });
    if (!fault) return void response.end(object.body);
    response.write(object.body.subarray(0, object.body.length / 2), () => response.destroy());
  };
  const list = (response: ServerResponse, bucket: string, query: URLSearchParams) => {
    const prefix = `${bucket}/${query.get('prefix') ?? ''}`;
    const after = query.get('continuation-token') ?? '';
    const pageSize = Number(query.get('max-keys') ?? PAGE);
    const names = [...objects.keys()].filter((name) => name.startsWith(prefix)).toSorted();
    const remaining = names.filter((name) => name > after);
    const page = remaining.slice(0, Math.min(pageSize, PAGE));
    const contents = page.map((name) => {
      const { body, at } = objects.get(name)!;
      return `<Contents><Key>${name.slice(bucket.length + 1)}</Key><LastModified>${at.toISOString()}</LastModified><Size>${body.length}</Size></Contents>`;
    });
    const next =
      page.length < remaining.length
        ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>`
        : '';
    response.end(`<ListBucketResult>${contents.join('')}${next}</ListBucketResult>`);
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    objects,
    requests,
    fail: (fault) => void faults.push(fault),
  };
}

/** Objects per page of a list; small, so that lists of a few objects have several pages. */
const PAGE = 5;

function refuse(response: ServerResponse, status: number, code: string): void {
  response
    .writeHead(status)
    .end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>Refused.</Message></Error>`);
}

/** Whether the signature is valid, by AWS's "Create a signed AWS API request". */
function hasValidSignature({ method, headers }: IncomingMessage, url: URL, body: Buffer): boolean {
  const [, key, scope = '', names = '', signature] =
    /Credential=([^/]+)\/(\S+), SignedHeaders=(\S+), Signature=(\w+)$/.exec(
      headers.authorization ?? '',
    ) ?? [];
  const payload = String(headers['x-amz-content-sha256']);
  if (payload !== 'UNSIGNED-PAYLOAD' && payload !== hash(body)) return false;
  const encodeStrict = (text: string) =>
    encodeURIComponent(text).replace(
      /[!'()*]/g,
      (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
    );
  const path = decodeURIComponent(url.pathname).split('/').map(encodeStrict).join('/');
  const query = [...url.searchParams].map((pair) => pair.map(encodeStrict).join('=')).toSorted();
  const signed = names.split(';').map((name) => `${name}:${String(headers[name]).trim()}\n`);
  const canonical = [method, path, query.join('&'), signed.join(''), names, payload].join('\n');
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, hash(canonical)].join('\n');
  const signing = scope
    .split('/')
    .reduce<string | Buffer>((secret, part) => hmac(secret, part), `AWS4${S3_KEY.secretAccessKey}`);
  return key === S3_KEY.accessKeyId && hmac(signing, text).toString('hex') === signature;
}

function hash(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

function hmac(secret: string | Buffer, text: string): Buffer {
  return createHmac('sha256', secret).update(text).digest();
}
