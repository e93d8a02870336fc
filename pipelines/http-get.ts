import { lookup } from 'node:dns';
import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { SourceOutageError, SourceRefusedError } from './errors.ts';
import { follow, headersOf, reasonOf } from './follow.ts';
import type { Lookup } from './host-lookup.ts';

export type HttpRequest = { url: string; method: 'GET' | 'HEAD'; headers: Record<string, string> };

export type HttpResponse = {
  status: number;
  headers: Headers;
  /** The bytes as they come; throws SourceOutageError when they stop coming. Read it to its end or call `cancel`. */
  body: AsyncIterable<Uint8Array>;
  cancel: () => Promise<void>;
};

/** One exchange over HTTP, redirects followed as `follow` says. */
export type HttpGet = (request: HttpRequest) => Promise<HttpResponse>;

export type HttpLimits = {
  /** Until the server's first answer, its redirects included. */
  connectMs: number;
  /** Between two pieces of the body: a connection that says nothing for so long is dead. */
  silenceMs: number;
  /** For the whole exchange. */
  totalMs: number;
  /** Between two requests to one host, so that a public server does not take us for an attack. */
  pauseMs: number;
};

/** BTS answers within seconds, and sends a month of about 30 MB in a minute or two even on a slow day. */
const HTTP_LIMITS: HttpLimits = {
  connectMs: 30_000,
  silenceMs: 30_000,
  totalMs: 30 * 60_000,
  pauseMs: 500,
};

const SENT = {
  'user-agent': 'headwind (flight delay history)',
  // A body packed on the way could neither be resumed nor checked for its length.
  'accept-encoding': 'identity',
};

/**
 * Makes the function that speaks HTTP. It throws SourceOutageError when a server cannot be reached or falls silent,
 * SourceRefusedError when a redirect leads where we do not go; every status is an answer.
 */
export function createHttpGet(limits: Partial<HttpLimits> = {}, find: Lookup = lookup): HttpGet {
  const all = { ...HTTP_LIMITS, ...limits };
  const untilTurn = turns(all.pauseMs);
  return async ({ url, method, headers }) => {
    const deadline = startDeadline(all);
    const { signal } = deadline;
    const sent = { ...SENT, ...headers };
    try {
      const exchange = { name: url, method, headers: sent, signal, find, untilTurn };
      return toAnswer(url, await follow(url, exchange), deadline);
    } catch (error) {
      deadline.clear();
      throw outage(url, error, signal);
    }
  };
}

function toAnswer(url: string, response: IncomingMessage, deadline: Deadline): HttpResponse {
  deadline.restartSilence();
  return {
    status: response.statusCode ?? 0,
    headers: headersOf(response),
    body: watched(url, response, deadline),
    cancel: async () => {
      deadline.clear();
      response.on('error', () => undefined).destroy();
    },
  };
}

async function* watched(url: string, body: AsyncIterable<Uint8Array>, deadline: Deadline) {
  try {
    for await (const chunk of body) {
      deadline.restartSilence();
      yield chunk;
    }
  } catch (error) {
    throw outage(url, error, deadline.signal);
  } finally {
    deadline.clear();
  }
}

type Deadline = { signal: AbortSignal; restartSilence: () => void; clear: () => void };

function startDeadline({ connectMs, silenceMs, totalMs }: HttpLimits): Deadline {
  const abort = new AbortController();
  const after = (ms: number, what: string) =>
    setTimeout(() => abort.abort(new Error(`${what} within ${ms / 1_000} s`)), ms);
  const total = after(totalMs, 'not done');
  let silence = after(connectMs, 'no answer');
  return {
    signal: abort.signal,
    restartSilence: () => {
      clearTimeout(silence);
      silence = after(silenceMs, 'no bytes');
    },
    clear: () => {
      clearTimeout(silence);
      clearTimeout(total);
    },
  };
}

/** An abort carries our reason. */
function outage(url: string, error: unknown, signal: AbortSignal): Error {
  if (error instanceof SourceRefusedError || error instanceof SourceOutageError) return error;
  const reason = reasonOf(signal.aborted ? signal.reason : error);
  return new SourceOutageError(url, reason, { cause: error });
}

/** Lets requests to one host begin no closer together than the pause, in the order they came. */
function turns(pauseMs: number): (host: string) => Promise<void> {
  const nextAt = new Map<string, number>();
  return async (host) => {
    const at = Math.max(Date.now(), nextAt.get(host) ?? 0);
    nextAt.set(host, at + pauseMs);
    await sleep(at - Date.now());
  };
}
