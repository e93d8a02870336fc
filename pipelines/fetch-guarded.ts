import { lookup } from 'node:dns';
import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { addAbortSignal, pipeline } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { SourceOutageError, SourceRefusedError } from './errors.ts';
import { retryAfterMs } from './flights/http-answer.ts';

export type GuardedRequest = { url: string; headers?: Record<string, string> };

/** A whole answer, unpacked; every status is one. */
export type GuardedAnswer = { status: number; headers: Headers; body: Buffer };

/** One GET of something small from a server we do not trust. */
export type GuardedFetch = (request: GuardedRequest) => Promise<GuardedAnswer>;

export type FetchLimits = {
  /** For the whole exchange, redirects and the last byte included. */
  deadlineMs: number;
  /** Of the body once unpacked; beyond it nothing more is read. */
  maxBytes: number;
};

const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const USER_AGENT = 'headwind (flight delay risk)';

/**
 * Makes the function that fetches feeds and forecasts. The address asked for is the operator's choice; a redirect is the
 * server's, and leads only to http(s), at most five times, and never into our own network unless it stays on the origin
 * asked for. Throws SourceOutageError for what may be better later, SourceRefusedError for what is not fetched.
 */
export function createGuardedFetch({ deadlineMs, maxBytes }: FetchLimits): GuardedFetch {
  return async ({ url, headers = {} }) => {
    const name = withoutQuery(url);
    const signal = AbortSignal.timeout(deadlineMs);
    try {
      const answer = await followed(name, httpUrl(url, name), headers, signal);
      return {
        status: answer.statusCode ?? 0,
        headers: headersOf(answer),
        body: await bodyOf(name, answer, maxBytes, signal),
      };
    } catch (error) {
      if (error instanceof SourceRefusedError) throw error;
      const reason = signal.aborted ? `not done within ${deadlineMs / 1_000} s` : textOf(error);
      throw new SourceOutageError(name, reason, { cause: error });
    }
  };
}

/** The error a status that brings nothing usable stands for: an outage for 408, 425, 429 and 5xx, final otherwise. */
export function statusError(url: string, answer: Omit<GuardedAnswer, 'body'>, now: Date): Error {
  const { status, headers } = answer;
  const detail = `the server answers ${status}`;
  const mayPass = status >= 500 || [408, 425, 429].includes(status);
  if (!mayPass) return new SourceRefusedError(withoutQuery(url), detail);
  const asked = retryAfterMs(headers, now.getTime());
  return new SourceOutageError(
    withoutQuery(url),
    detail,
    asked === undefined ? {} : { retryAfterMs: asked },
  );
}

async function followed(
  name: string,
  asked: URL,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  let at = asked;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const isTrusted = at.origin === asked.origin;
    const answer = await exchange(name, at, { headers, signal, isTrusted });
    const { location } = answer.headers;
    if (!REDIRECTS.has(answer.statusCode ?? 0) || location === undefined) return answer;
    answer.on('error', () => undefined).destroy();
    at = httpUrl(URL.parse(location, at.href)?.href ?? location, name);
  }
  throw new SourceRefusedError(name, `redirects more than ${MAX_REDIRECTS} times`);
}

type Exchange = { headers: Record<string, string>; signal: AbortSignal; isTrusted: boolean };

async function exchange(name: string, url: URL, { headers, signal, isTrusted }: Exchange) {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  // An address needs no look-up, so it is checked here.
  if (!isTrusted && isIP(host) > 0) refuseOurOwn(name, host);
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise<IncomingMessage>((resolve, reject) => {
    request(url, {
      headers: { 'user-agent': USER_AGENT, 'accept-encoding': 'gzip, deflate, br', ...headers },
      signal,
      // A connection of its own: one from a pool would skip the check of its address.
      agent: false,
      ...(!isTrusted && { lookup: publicLookup(name) }),
    })
      .on('response', resolve)
      .on('error', reject)
      .end();
  });
}

/** Looks a host up at the moment of connecting, so that what was checked is what is connected to. */
function publicLookup(name: string): LookupFunction {
  return (host, options, done) => {
    lookup(host, { ...options, all: true }, (error, found) => {
      const [first] = found ?? [];
      if (error || !first) return done(error ?? new Error(`${host} has no address`), '');
      try {
        for (const { address } of found) refuseOurOwn(name, address);
      } catch (refusal) {
        return done(refusal as Error, '');
      }
      return options.all ? done(null, found) : done(null, first.address, first.family);
    });
  };
}

function refuseOurOwn(name: string, address: string): void {
  if (!OUR_OWN.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')) return;
  throw new SourceRefusedError(name, `redirects to ${address}, which is not on the internet`);
}

/** Loopback, private, link-local (cloud metadata among them) and reserved addresses; IPv4 inside IPv6 too. */
const OUR_OWN = new BlockList();
for (const range of [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16'],
  ...['172.16.0.0/12', '192.0.0.0/24', '192.168.0.0/16', '198.18.0.0/15', '224.0.0.0/3'],
  ...['::/96', '::ffff:0:0/96', '64:ff9b::/32', '2002::/16', 'fc00::/7', 'fe80::/9', 'ff00::/8'],
]) {
  const [net = '', prefix] = range.split('/');
  OUR_OWN.addSubnet(net, Number(prefix), net.includes(':') ? 'ipv6' : 'ipv4');
}

async function bodyOf(
  name: string,
  answer: IncomingMessage,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Buffer> {
  const unpack = UNPACK[answer.headers['content-encoding']?.toLowerCase() ?? ''];
  // The loop gets the errors of both ends; the callback would only hear them again.
  const body = unpack ? pipeline(answer, unpack(), () => undefined) : answer;
  addAbortSignal(signal, body);
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body as AsyncIterable<Uint8Array>) {
    bytes += piece.length;
    if (bytes > maxBytes) {
      throw new SourceRefusedError(name, `is bigger than ${maxBytes / 1_000_000} MB`);
    }
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

const UNPACK: Record<string, typeof createGunzip | typeof createBrotliDecompress> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

function httpUrl(text: string, name: string): URL {
  const url = URL.parse(text);
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  const where = url === null ? 'no address' : `a ${url.protocol} address`;
  throw new SourceRefusedError(name, `leads to ${where}; only http(s) is fetched`);
}

function headersOf({ headersDistinct }: IncomingMessage): Headers {
  const pairs = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  return new Headers(pairs);
}

/** An address as messages may show it: queries hold keys. */
export function withoutQuery(url: string): string {
  return url.replace(/[?#].*$/s, '').replace(/\/\/[^/@]*@/, '//');
}

/** Trying both kinds of address gives an error without a text, around those of each try. */
function textOf(error: unknown): string {
  const { message, errors } = error as Error & { errors?: Error[] };
  return message || (errors?.map((one) => one.message).join('; ') ?? 'no answer');
}
