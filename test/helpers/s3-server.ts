import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { ExecutionContext } from 'ava';

/** What goes wrong with a request: an error of S3 or any page with that status, a body cut in the middle, a connection that ends, or silence. */
export type Fault = { on: (request: string) => boolean; times: number } & (
  | { status: number; code: string }
  | { status: number; page: string }
  | { what: 'cut' | 'hang up' | 'silence' | 'cut put' }
);

export type S3Server = {
  url: string;
  /** By `bucket/name`. */
  objects: Map<string, { body: Buffer; at: Date }>;
  /** Each request as `PUT bucket/name`. */
  requests: string[];
  /** Goes wrong so many times, then no more. */
  fail: (fault: Fault) => void;
};

export const S3_KEY = { accessKeyId: 'test-key', secretAccessKey: 'test-secret' };

/** A server on loopback that speaks as much S3 as a lake needs, on buckets that exist already, and checks every signature (SigV4). */
export async function s3Server(t: ExecutionContext, buckets = ['lake']): Promise<S3Server> {
  const objects: S3Server['objects'] = new Map();
  const requests: string[] = [];
  const faults: Fault[] = [];
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '', 'http://here');
    const name = decodeURIComponent(url.pathname.slice(1));
    const asked = `${request.method} ${name}${url.search}`;
    requests.push(asked);
    const body = await buffer(request);
    const fault = faults.find((one) => one.times > 0 && one.on(asked));
    if (fault) fault.times -= 1;
    if (fault && 'page' in fault) {
      return void response.writeHead(fault.status).end(fault.page);
    }
    if (fault && 'status' in fault) return refuse(response, fault.status, fault.code);
    if (fault?.what === 'hang up') return void response.destroy();
    if (fault?.what === 'silence') return;
    if (!isSigned(request, url, body)) return refuse(response, 403, 'SignatureDoesNotMatch');
    if (!buckets.includes(name.split('/')[0] ?? '')) return refuse(response, 404, 'NoSuchBucket');
    if (request.method === 'PUT') {
      const told = request.headers['x-amz-content-sha256'];
      const came = fault ? body.subarray(0, body.length / 2) : body;
      if (hash(came) !== told) return refuse(response, 400, 'XAmzContentSHA256Mismatch');
      objects.set(name, { body, at: new Date() });
      return void response.writeHead(200).end();
    }
    if (request.method === 'DELETE') {
      objects.delete(name);
      return void response.writeHead(204).end();
    }
    if (url.searchParams.has('list-type')) return list(response, name, url.searchParams);
    const found = objects.get(name);
    if (!found) return refuse(response, 404, 'NoSuchKey');
    response.writeHead(200, { 'content-length': found.body.length });
    if (!fault) return void response.end(found.body);
    response.write(found.body.subarray(0, found.body.length / 2), () => response.destroy());
  };
  const list = (response: ServerResponse, bucket: string, query: URLSearchParams) => {
    const prefix = `${bucket}/${query.get('prefix') ?? ''}`;
    const after = query.get('continuation-token') ?? '';
    const most = Number(query.get('max-keys') ?? PAGE);
    const names = [...objects.keys()].filter((name) => name.startsWith(prefix)).toSorted();
    const left = names.filter((name) => name > after);
    const page = left.slice(0, Math.min(most, PAGE));
    const contents = page.map((name) => {
      const { body, at } = objects.get(name)!;
      return `<Contents><Key>${name.slice(bucket.length + 1)}</Key><LastModified>${at.toISOString()}</LastModified><Size>${body.length}</Size></Contents>`;
    });
    const next =
      page.length < left.length
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

/** Small, so that lists of a few objects come in several. */
const PAGE = 5;

function refuse(response: ServerResponse, status: number, code: string): void {
  response
    .writeHead(status)
    .end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>Not so.</Message></Error>`);
}

/** As AWS describes it in "Create a signed AWS API request". */
function isSigned({ method, headers }: IncomingMessage, url: URL, body: Buffer): boolean {
  const [, key, scope = '', names = '', signature] =
    /Credential=([^/]+)\/(\S+), SignedHeaders=(\S+), Signature=(\w+)$/.exec(
      headers.authorization ?? '',
    ) ?? [];
  const payload = String(headers['x-amz-content-sha256']);
  if (payload !== 'UNSIGNED-PAYLOAD' && payload !== hash(body)) return false;
  const strict = (text: string) =>
    encodeURIComponent(text).replace(
      /[!'()*]/g,
      (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
    );
  const path = decodeURIComponent(url.pathname).split('/').map(strict).join('/');
  const query = [...url.searchParams].map((pair) => pair.map(strict).join('=')).toSorted();
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
