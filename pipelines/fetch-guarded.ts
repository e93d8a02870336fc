import { lookup } from 'node:dns';
import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { addAbortSignal, pipeline } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { SourceOutageError, SourceRefusedError } from './errors.ts';
import { retryAfterMs } from './flights/http-answer.ts';
import { checkedLookup, isOurOwn, lookingOnce, type Lookup } from './host-lookup.ts';
import { httpUrl, isRedirect, MAX_REDIRECTS, tooManyRedirects } from './redirects.ts';

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

const USER_AGENT = 'headwind (flight delay risk)';

/**
 * Makes the function that fetches feeds and forecasts. The address asked for is the operator's choice, and may be in our
 * own network. A redirect is the server's: it leads only to http(s), at most five times, and never into our own network
 * unless it stays on the origin asked for. A host is looked up once, redirects or not, and what is checked is what is
 * connected to: a name that changes its address in between gains nothing.
 * Throws SourceOutageError for what may be better later, SourceRefusedError for what is not fetched.
 */
export function createGuardedFetch(
  { deadlineMs, maxBytes }: FetchLimits,
  find: Lookup = lookup,
): GuardedFetch {
  return async ({ url, headers = {} }) => {
    const name = withoutQuery(url);
    const signal = AbortSignal.timeout(deadlineMs);
    try {
      const answer = await followed(httpUrl(url, name), {
        name,
        headers,
        signal,
        find: lookingOnce(find),
      });
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

type Exchange = {
  /** Of the address asked for, in messages. */
  name: string;
  headers: Record<string, string>;
  signal: AbortSignal;
  find: Lookup;
};

async function followed(asked: URL, exchange: Exchange): Promise<IncomingMessage> {
  const { name } = exchange;
  let at = asked;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const answer = await answerFrom(at, at.origin === asked.origin, exchange);
    const { location } = answer.headers;
    if (!isRedirect(answer.statusCode ?? 0) || location === undefined) return answer;
    answer.on('error', () => undefined).destroy();
    at = httpUrl(URL.parse(location, at.href)?.href ?? location, name);
  }
  throw tooManyRedirects(name);
}

async function answerFrom(url: URL, isTrusted: boolean, exchange: Exchange) {
  const { name, headers, signal, find } = exchange;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const check = isTrusted ? () => undefined : (address: string) => refuseOurOwn(name, address);
  // An address needs no look-up, so it is checked here.
  if (isIP(host) > 0) check(host);
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise<IncomingMessage>((resolve, reject) => {
    request(url, {
      headers: { 'user-agent': USER_AGENT, 'accept-encoding': 'gzip, deflate, br', ...headers },
      signal,
      // A connection of its own: one from a pool would skip the check of its address.
      agent: false,
      lookup: checkedLookup(find, check),
    })
      .on('response', resolve)
      .on('error', reject)
      .end();
  });
}

function refuseOurOwn(name: string, address: string): void {
  if (!isOurOwn(address)) return;
  throw new SourceRefusedError(name, `redirects to ${address}, which is not on the internet`);
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
