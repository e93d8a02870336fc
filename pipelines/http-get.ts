import { setTimeout as sleep } from 'node:timers/promises';
import { SourceOutageError, SourceRefusedError } from './errors.ts';
import { httpUrl, isRedirect, MAX_REDIRECTS, tooManyRedirects } from './redirects.ts';

export type HttpRequest = { url: string; method: 'GET' | 'HEAD'; headers: Record<string, string> };

export type HttpResponse = {
  status: number;
  headers: Headers;
  /** The bytes as they come; throws SourceOutageError when they stop coming. Read it to its end or call `cancel`. */
  body: AsyncIterable<Uint8Array>;
  cancel: () => Promise<void>;
};

/** One exchange over HTTP, redirects followed. */
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

const USER_AGENT = 'headwind (flight delay history)';

/**
 * Makes the function that speaks HTTP. It throws SourceOutageError when a server cannot be reached or falls silent,
 * SourceRefusedError when a redirect leads where we do not go; every status is an answer.
 */
export function createHttpGet(limits: Partial<HttpLimits> = {}): HttpGet {
  const all = { ...HTTP_LIMITS, ...limits };
  const untilTurn = turns(all.pauseMs);
  return async (request) => {
    const deadline = startDeadline(all);
    try {
      const response = await followed(request, deadline.signal, untilTurn);
      return toAnswer(request.url, response, deadline);
    } catch (error) {
      deadline.clear();
      throw outage(request.url, error, deadline.signal);
    }
  };
}

async function followed(
  { url, method, headers }: HttpRequest,
  signal: AbortSignal,
  untilTurn: (host: string) => Promise<void>,
): Promise<Response> {
  let at = httpUrl(url, url);
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    await untilTurn(at.host);
    const response = await fetch(at, {
      method,
      // A body packed on the way could neither be resumed nor checked for its length.
      headers: { 'user-agent': USER_AGENT, 'accept-encoding': 'identity', ...headers },
      redirect: 'manual',
      signal,
    });
    const location = response.headers.get('location');
    if (!isRedirect(response.status) || location === null) return response;
    await response.body?.cancel();
    at = httpUrl(URL.parse(location, at)?.href ?? location, url);
  }
  throw tooManyRedirects(url);
}

function toAnswer(url: string, response: Response, deadline: Deadline): HttpResponse {
  const body = response.body;
  deadline.restartSilence();
  if (body === null) deadline.clear();
  return {
    status: response.status,
    headers: response.headers,
    body: body === null ? nothing() : watched(url, body, deadline),
    cancel: async () => {
      deadline.clear();
      await body?.cancel();
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

async function* nothing(): AsyncIterable<Uint8Array> {}

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

/** What fetch throws hides its reason in the cause; an abort carries ours. */
function outage(url: string, error: unknown, signal: AbortSignal): Error {
  if (error instanceof SourceRefusedError || error instanceof SourceOutageError) return error;
  const reason = (signal.aborted ? signal.reason : ((error as Error).cause ?? error)) as Error;
  return new SourceOutageError(url, reason.message, { cause: error });
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
