import type { IncomingMessage, RequestListener } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ErrorCode } from '../errors.ts';

/** Refuses a request before the application receives it. */
type Refusal = { status: string; code: ErrorCode; message: string; headers?: string };

const NOT_HTTP: Refusal = {
  status: '400 Bad Request',
  code: 'bad_request',
  message: 'The request is not valid HTTP.',
};

/** Refuses CONNECT requests, which Node does not pass to the application. */
export const NO_CONNECT: Refusal = {
  status: '405 Method Not Allowed',
  code: 'method_not_allowed',
  message: 'Use GET or HEAD here.',
  headers: 'Allow: GET, HEAD\r\n',
};

/**
 * Refuses requests with an invalid address (RFC 9112) with 400. Passes on all other requests, with the address reduced
 * to path and query.
 */
export function refuseBadAddresses(listener: RequestListener): RequestListener {
  return (request, response) => {
    const problem = normalizeAddress(request);
    if (problem === undefined) {
      listener(request, response);
      return;
    }
    const body = bodyOf({ ...NOT_HTTP, message: problem });
    const headers = { 'Content-Type': JSON_TYPE, 'Content-Length': body.length };
    response.writeHead(400, { ...headers, Connection: 'close' }).end(body);
  };
}

/** Time in which a caller can read the refusal. Then the connection is closed. */
const LINGER_MS = 1_000;

/**
 * Discards further input. Closing a socket with unread bytes could destroy the answer on its way to the caller. Also
 * handles errors of the socket. Without this handler, a disconnecting caller would crash the process.
 */
export function discardInput(socket: Duplex): void {
  // The first listener detaches the socket from the HTTP parser. The parser's own listener remains on the socket.
  socket
    .on('data', () => undefined)
    .removeAllListeners('data')
    .resume();
  socket.on('error', () => undefined);
}

/** Sends a refusal and closes the connection. */
export function sendRefusal(socket: Duplex, refusal: Refusal): void {
  const body = bodyOf(refusal);
  const headers = `Content-Type: ${JSON_TYPE}\r\nContent-Length: ${body.length}\r\n`;
  const extraHeaders = refusal.headers ?? '';
  const head = `HTTP/1.1 ${refusal.status}\r\n${headers}${extraHeaders}Connection: close\r\n\r\n`;
  socket.end(head + body, () => setTimeout(() => socket.destroy(), LINGER_MS).unref());
}

/** Returns the refusal of a request that the HTTP parser could not read. */
export function refusalOfParserError(code: string | undefined, headersMaxBytes: number): Refusal {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return {
        status: '431 Request Header Fields Too Large',
        code: 'bad_request',
        message: `Address and headers together must not exceed ${headersMaxBytes} bytes.`,
      };
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return {
        status: '408 Request Timeout',
        code: 'bad_request',
        message: 'The request took too long to arrive.',
      };
    default:
      return NOT_HTTP;
  }
}

const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * Returns the reason if the address is invalid, otherwise undefined. An absolute address, as sent to proxies, is
 * replaced by its path.
 */
function normalizeAddress(request: IncomingMessage): string | undefined {
  const hosts = countHeader('host', request.rawHeaders);
  if (hosts === 0 && request.httpVersion === '1.1') return 'The header Host is missing.';
  // With two Host headers, a proxy and this server could each use a different one.
  if (hosts > 1) return 'The header Host is present more than once.';
  const address = request.url ?? '';
  // RFC 9112 forbids fragments. Some parsers would read text after `//` in a fragment as a host.
  if (address.includes('#')) return 'The address has a fragment (#); write %23 in a value.';
  if (address.startsWith('/')) return undefined;
  const url = URL.parse(address);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    return 'The address is neither a path nor a URL.';
  }
  request.url = url.pathname + url.search;
  return undefined;
}

/**
 * Counts how often a header occurs in a raw list of names and values. Node's `headers` object has only the first Host.
 */
function countHeader(name: string, rawHeaders: string[]): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const header = rawHeaders[at] ?? '';
    if (header.length === name.length && header.toLowerCase() === name) count += 1;
  }
  return count;
}

function bodyOf({ code, message }: Refusal): string {
  return JSON.stringify({ error: code, message });
}
