import { lookup } from 'node:dns';
import type { IncomingMessage } from 'node:http';
import { addAbortSignal, pipeline } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { SourceOutageError, SourceRefusedError } from './errors.ts';
import { retryAfterMs } from './flights/http-answer.ts';
import { follow, headersOf, reasonOf } from './follow.ts';
import type { Lookup } from './host-lookup.ts';

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

const SENT = {
  'user-agent': 'headwind (flight delay risk)',
  'accept-encoding': 'gzip, deflate, br',
};

/**
 * Makes the function that fetches feeds and forecasts, redirects followed as `follow` says.
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
      const answer = await follow(url, { name, headers: { ...SENT, ...headers }, signal, find });
      return {
        status: answer.statusCode ?? 0,
        headers: headersOf(answer),
        body: await bodyOf(name, answer, maxBytes, signal),
      };
    } catch (error) {
      if (error instanceof SourceRefusedError) throw error;
      const reason = signal.aborted ? `not done within ${deadlineMs / 1_000} s` : reasonOf(error);
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

/** An address as messages may show it: queries hold keys. */
export function withoutQuery(url: string): string {
  return url.replace(/[?#].*$/s, '').replace(/\/\/[^/@]*@/, '//');
}
