import { lookup } from 'node:dns';
import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { reasonOf } from '../warehouse/ground/http-exchange.ts';
import { SourceOutageError, SourceRefusedError } from './errors.ts';
import { follow, headersOf } from './follow.ts';
import type { Lookup } from './host-lookup.ts';

export type HttpRequest = { url: string; method: 'GET' | 'HEAD'; headers: Record<string, string> };

export type HttpResponse = {
  status: number;
  headers: Headers;
  /**
   * Streams the body; throws SourceOutageError when the server stalls. The caller must read the whole body or call
   * `cancel`.
   */
  body: AsyncIterable<Uint8Array>;
  cancel: () => Promise<void>;
};

/** Sends one HTTP request; redirects follow the rules of `follow`. */
export type HttpGet = (request: HttpRequest) => Promise<HttpResponse>;

export type HttpLimits = {
  /** Time limit until the response headers arrive, including redirects. */
  connectMs: number;
  /** Time limit between two chunks of the body; a connection that is silent for longer is treated as dead. */
  silenceMs: number;
  /** Time limit of the whole exchange. */
  totalMs: number;
  /** Shortest time between two requests to one host, so that a public server does not block us. */
  pauseMs: number;
};

/**
 * Limits for BTS. It answers within seconds, and sends a month of about 30 MB within two minutes even on a slow day.
 */
const HTTP_LIMITS: HttpLimits = {
  connectMs: 30_000,
  silenceMs: 30_000,
  totalMs: 30 * 60_000,
  pauseMs: 500,
};

const REQUEST_HEADERS = {
  'user-agent': 'headwind (flight delay history)',
  // Refuse compression: a compressed body cannot be resumed, and its length cannot be checked.
  'accept-encoding': 'identity',
};

/**
 * Creates the function that sends HTTP requests. It throws SourceOutageError when a server is unreachable or stalls,
 * and SourceRefusedError for a refused redirect. It returns responses of every status.
 */
export function createHttpGet(limits: Partial<HttpLimits> = {}, find: Lookup = lookup): HttpGet {
  const allLimits = { ...HTTP_LIMITS, ...limits };
  const waitForHost = paceRequests(allLimits.pauseMs);
  return async ({ url, method, headers }) => {
    const deadline = startDeadline(allLimits);
    const { signal } = deadline;
    const allHeaders = { ...REQUEST_HEADERS, ...headers };
    try {
      const exchange = { name: url, method, headers: allHeaders, signal, find, waitForHost };
      return toAnswer(url, await follow(url, exchange), deadline);
    } catch (error) {
      deadline.clear();
      throw toOutage(url, error, signal);
    }
  };
}

function toAnswer(url: string, response: IncomingMessage, deadline: Deadline): HttpResponse {
  deadline.restartSilence();
  return {
    status: response.statusCode ?? 0,
    headers: headersOf(response),
    body: readWithDeadline(url, response, deadline),
    cancel: async () => {
      deadline.clear();
      response.on('error', () => undefined).destroy();
    },
  };
}

async function* readWithDeadline(url: string, body: AsyncIterable<Uint8Array>, deadline: Deadline) {
  try {
    for await (const chunk of body) {
      deadline.restartSilence();
      yield chunk;
    }
  } catch (error) {
    throw toOutage(url, error, deadline.signal);
  } finally {
    deadline.clear();
  }
}

type Deadline = { signal: AbortSignal; restartSilence: () => void; clear: () => void };

function startDeadline({ connectMs, silenceMs, totalMs }: HttpLimits): Deadline {
  const abort = new AbortController();
  const abortAfter = (ms: number, reason: string) =>
    setTimeout(() => abort.abort(new Error(`${reason} within ${ms / 1_000} s`)), ms);
  const total = abortAfter(totalMs, 'not done');
  let silence = abortAfter(connectMs, 'no answer');
  return {
    signal: abort.signal,
    restartSilence: () => {
      clearTimeout(silence);
      silence = abortAfter(silenceMs, 'no bytes');
    },
    clear: () => {
      clearTimeout(silence);
      clearTimeout(total);
    },
  };
}

/** Converts an error to an outage. After an abort, the outage has the reason of the signal. */
function toOutage(url: string, error: unknown, signal: AbortSignal): Error {
  if (error instanceof SourceRefusedError || error instanceof SourceOutageError) return error;
  const reason = reasonOf(signal.aborted ? signal.reason : error);
  return new SourceOutageError(url, reason, { cause: error });
}

/** Delays requests so that two requests to one host are at least `pauseMs` apart, in the order of the calls. */
function paceRequests(pauseMs: number): (host: string) => Promise<void> {
  const nextAt = new Map<string, number>();
  return async (host) => {
    const startAt = Math.max(Date.now(), nextAt.get(host) ?? 0);
    nextAt.set(host, startAt + pauseMs);
    await sleep(startAt - Date.now());
  };
}
