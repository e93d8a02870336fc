import { request as requestHttp, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';

export type HttpExchange = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** Ends the exchange, including its body. */
  signal: AbortSignal;
};

export type HttpAnswer = {
  status: number;
  /** Streams the body; throws `BrokenExchangeError` if it is incomplete. Read it to its end or call `discard`. */
  body: AsyncIterable<Uint8Array>;
  /** Closes the connection without reading the body. */
  discard: () => void;
};

/** The server is unreachable, or the connection broke before the response was complete. A retry may help. */
export class BrokenExchangeError extends Error {
  readonly isFinal = false;
  override readonly name = 'BrokenExchangeError';
}

/** A compressed body would have to be decompressed, and its size could not be limited while it is received. */
const HEADERS = { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'headwind' };

/**
 * Sends a request and returns the response of any status, also of a redirect. Throws `BrokenExchangeError` if none
 * arrives.
 */
export async function sendRequest(
  url: string,
  { method, headers, body, signal }: HttpExchange,
): Promise<HttpAnswer> {
  const options = { method, headers: { ...HEADERS, ...headers }, signal };
  const response = await openResponse(new URL(url), options, body).catch((error: unknown) => {
    throw toBroken(error, signal);
  });
  return {
    status: response.statusCode ?? 0,
    body: readChunks(response, signal),
    discard: () => void response.on('error', () => undefined).destroy(),
  };
}

/** Whether the status is from 200 to 299. */
export function isOk({ status }: HttpAnswer): boolean {
  return status >= 200 && status < 300;
}

/** Reads the body. Throws `BrokenExchangeError` if it is incomplete, or an error if it is longer than `maxBytes`. */
export async function readBody({ body }: HttpAnswer, maxBytes = Infinity): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new Error(`the answer is longer than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * Sends a request with node:http, the only HTTP client of the service. Node's own `fetch` ends the process when a
 * server closes the connection while the body is paused (undici 7.29.1 in Node 24.21.0, `assert(!this.paused)`), and
 * no caller can catch that. Throws the errors of Node unchanged.
 */
export async function openResponse(
  url: URL,
  options: RequestOptions,
  body?: string | Buffer,
): Promise<IncomingMessage> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    request(url, options)
      .on('response', resolve)
      .on('error', reject)
      // After 101 Switching Protocols, Node closes the connection without a response or an error.
      .on('close', () => reject(new Error('the connection was closed without an answer')))
      .end(body);
  });
}

/**
 * Returns why an exchange failed. After trying IPv4 and IPv6, Node's error has no message but contains one error per
 * try.
 */
export function reasonOf(error: unknown): string {
  const { message, errors } = error as Error & { errors?: Error[] };
  return message || (errors?.map((one) => one.message).join('; ') ?? 'no answer');
}

async function* readChunks(response: IncomingMessage, signal: AbortSignal) {
  try {
    for await (const chunk of response as AsyncIterable<Uint8Array>) yield chunk;
  } catch (error) {
    throw toBroken(error, signal);
  }
}

function toBroken(error: unknown, signal: AbortSignal): BrokenExchangeError {
  const reason = reasonOf(signal.aborted ? signal.reason : error);
  return new BrokenExchangeError(reason, { cause: error });
}
