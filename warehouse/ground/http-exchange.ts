import { request as requestHttp, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';

export type HttpExchange = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** Aborting this signal ends the exchange, even while the body is received. */
  signal: AbortSignal;
};

export type HttpAnswer = {
  status: number;
  /**
   * Streams the body; throws `BrokenExchangeError` if the body is incomplete. Read the body to its end, or call
   * `discard`.
   */
  body: AsyncIterable<Uint8Array>;
  /** Closes the connection without reading the body. */
  discard: () => void;
};

/** The server is unreachable, or the connection broke before the response was complete. A retry may help. */
export class BrokenExchangeError extends Error {
  readonly isFinal = false;
  override readonly name = 'BrokenExchangeError';
}

/**
 * `identity` requests an uncompressed body, because the size of a compressed body could not be limited during the
 * transfer.
 */
const HEADERS = { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'headwind' };

/**
 * Sends a request and returns the response, whatever its status; does not follow redirects. Throws
 * `BrokenExchangeError` if there is no response.
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

/**
 * Reads the body. Throws `BrokenExchangeError` if the body is incomplete, and another error if it is longer than
 * `maxBytes`.
 */
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
 * Sends a request with node:http, the only HTTP client of the service. Node's `fetch` is not used: if a server closes
 * the connection while the body is paused, `fetch` ends the process, and no caller can catch the error (undici 7.29.1
 * in Node 24.21.0, `assert(!this.paused)`). Throws the errors of Node unchanged.
 */
export async function openResponse(
  url: URL,
  options: RequestOptions,
  body?: string | Buffer,
): Promise<IncomingMessage> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const send = (isRepeat: boolean) => {
      let isRepeated = false;
      const sent = request(url, options);
      sent
        .on('response', resolve)
        .on('error', (error) => {
          // A server may close a pooled connection at any time. Node's documentation recommends repeating the request.
          isRepeated = !isRepeat && Boolean(options.agent) && sent.reusedSocket && isReset(error);
          if (isRepeated) send(true);
          else reject(error);
        })
        // After a response "101 Switching Protocols", Node closes the connection without a response or an error.
        .on('close', () => {
          if (!isRepeated) reject(new Error('the connection was closed without an answer'));
        })
        .end(body);
    };
    send(false);
  });
}

function isReset(error: Error): boolean {
  return ['ECONNRESET', 'EPIPE'].includes((error as NodeJS.ErrnoException).code ?? '');
}

/**
 * Returns why an exchange failed. If attempts with IPv4 and IPv6 both failed, Node's error has no message, but contains
 * one error for each attempt.
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
