import { lookup } from 'node:dns';
import type { IncomingMessage } from 'node:http';
import { addAbortSignal, pipeline } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { reasonOf } from '../warehouse/ground/http-exchange.ts';
import { SourceOutageError, SourceRefusedError } from './errors.ts';
import { retryAfterMs } from './flights/http-answer.ts';
import { follow, headersOf } from './follow.ts';
import type { Lookup } from './host-lookup.ts';

export type GuardedRequest = { url: string; headers?: Record<string, string> };

/** A complete response, decompressed, with any status. */
export type GuardedAnswer = { status: number; headers: Headers; body: Buffer };

/** Sends one GET request for a small document to an untrusted server. */
export type GuardedFetch = (request: GuardedRequest) => Promise<GuardedAnswer>;

export type FetchLimits = {
  /** Time limit of the whole exchange, including redirects and body. */
  deadlineMs: number;
  /** Largest decompressed body; reading stops at this size. */
  maxBytes: number;
};

const REQUEST_HEADERS = {
  'user-agent': 'headwind (flight delay risk)',
  'accept-encoding': 'gzip, deflate, br',
};

/**
 * Creates the function that fetches feeds and forecasts. Redirects follow the rules of `follow`. Throws
 * SourceOutageError if a retry may help, SourceRefusedError if the address or body is refused.
 */
export function createGuardedFetch(
  { deadlineMs, maxBytes }: FetchLimits,
  find: Lookup = lookup,
): GuardedFetch {
  return async ({ url, headers = {} }) => {
    const name = stripQuery(url);
    const signal = AbortSignal.timeout(deadlineMs);
    try {
      const answer = await follow(url, {
        name,
        headers: { ...REQUEST_HEADERS, ...headers },
        signal,
        find,
      });
      return {
        status: answer.statusCode ?? 0,
        headers: headersOf(answer),
        body: await readBody(name, answer, maxBytes, signal),
      };
    } catch (error) {
      if (error instanceof SourceRefusedError) throw error;
      const reason = signal.aborted ? `not done within ${deadlineMs / 1_000} s` : reasonOf(error);
      throw new SourceOutageError(name, reason, { cause: error });
    }
  };
}

/** Returns the error for an unusable status: an outage for 408, 425, 429 and 5xx, otherwise a final error. */
export function statusError(url: string, answer: Omit<GuardedAnswer, 'body'>, now: Date): Error {
  const { status, headers } = answer;
  const detail = `the server answers ${status}`;
  const isOutage = status >= 500 || [408, 425, 429].includes(status);
  if (!isOutage) return new SourceRefusedError(stripQuery(url), detail);
  const delayMs = retryAfterMs(headers, now.getTime());
  return new SourceOutageError(
    stripQuery(url),
    detail,
    delayMs === undefined ? {} : { retryAfterMs: delayMs },
  );
}

async function readBody(
  name: string,
  answer: IncomingMessage,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Buffer> {
  const decompress = DECOMPRESSORS[answer.headers['content-encoding']?.toLowerCase() ?? ''];
  // Ignore errors here: the loop below receives the errors of both streams.
  const body = decompress ? pipeline(answer, decompress(), () => undefined) : answer;
  addAbortSignal(signal, body);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > maxBytes) {
      throw new SourceRefusedError(name, `is bigger than ${maxBytes / 1_000_000} MB`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const DECOMPRESSORS: Record<string, typeof createGunzip | typeof createBrotliDecompress> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** Removes query, fragment and credentials from an address, so that messages contain no keys. */
export function stripQuery(url: string): string {
  return url.replace(/[?#].*$/s, '').replace(/\/\/[^/@]*@/, '//');
}
