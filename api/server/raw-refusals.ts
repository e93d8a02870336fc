import type { IncomingMessage, RequestListener } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ErrorCode } from '../errors.ts';

/** An answer given before the application sees a request. */
type Refusal = { status: string; code: ErrorCode; message: string; headers?: string };

const NOT_HTTP: Refusal = {
  status: '400 Bad Request',
  code: 'bad_request',
  message: 'This is not HTTP.',
};

/** CONNECT, which Node keeps from the application. */
export const NO_TUNNEL: Refusal = {
  status: '405 Method Not Allowed',
  code: 'method_not_allowed',
  message: 'Use GET or HEAD here.',
  headers: 'Allow: GET, HEAD\r\n',
};

/** Lets pass what is addressed as RFC 9112 wants it, in the form the application expects: a path and a query. */
export function frontDoor(listener: RequestListener): RequestListener {
  return (request, response) => {
    const problem = addressProblem(request);
    if (problem === undefined) {
      listener(request, response);
      return;
    }
    const body = bodyOf({ ...NOT_HTTP, message: problem });
    const headers = { 'Content-Type': JSON_TYPE, 'Content-Length': body.length };
    response.writeHead(400, { ...headers, Connection: 'close' }).end(body);
  };
}

/** How long a caller may take to read a refusal; one that keeps its end open must not keep ours. */
const LINGER_MS = 1_000;

/**
 * Throws away what the caller still sends: closing on unread bytes would take the answer away from it. Node has let go of
 * a socket it hands over: without a listener, a caller hanging up would end the process.
 */
export function deafen(socket: Duplex): void {
  // The first listener takes the socket back from the HTTP parser, which leaves one of its own behind.
  socket
    .on('data', () => undefined)
    .removeAllListeners('data')
    .resume();
  socket.on('error', () => undefined);
}

/** Says what is not HTTP, too large, too slow or unwanted, and closes the connection. */
export function refuse(socket: Duplex, refusal: Refusal): void {
  const body = bodyOf(refusal);
  const headers = `Content-Type: ${JSON_TYPE}\r\nContent-Length: ${body.length}\r\n`;
  const more = refusal.headers ?? '';
  const head = `HTTP/1.1 ${refusal.status}\r\n${headers}${more}Connection: close\r\n\r\n`;
  socket.end(head + body, () => setTimeout(() => socket.destroy(), LINGER_MS).unref());
}

/** What to say to bytes the HTTP parser gave up on. */
export function rawRefusalOf(code: string | undefined, headersMaxBytes: number): Refusal {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return {
        status: '431 Request Header Fields Too Large',
        code: 'bad_request',
        message: `The address and headers may have ${headersMaxBytes} bytes together.`,
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

/** Why the request cannot be answered; also makes an absolute address, as sent to proxies, a path. */
function addressProblem(request: IncomingMessage): string | undefined {
  const hosts = countOf('host', request.rawHeaders);
  if (hosts === 0 && request.httpVersion === '1.1') return 'The header Host is missing.';
  // Two readers could each take another one.
  if (hosts > 1) return 'The header Host is given more than once.';
  const address = request.url ?? '';
  // Never sent (RFC 9112), and some readers take what follows `//` for a host when there is one.
  if (address.includes('#')) return 'The address has a fragment (#); write %23 in a value.';
  if (address.startsWith('/')) return undefined;
  const url = URL.parse(address);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    return 'The address is neither a path nor a URL.';
  }
  request.url = url.pathname + url.search;
  return undefined;
}

/** How often a header is there; Node keeps the first Host alone. Names and values take turns. */
function countOf(name: string, rawHeaders: string[]): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const given = rawHeaders[at] ?? '';
    if (given.length === name.length && given.toLowerCase() === name) count += 1;
  }
  return count;
}

function bodyOf({ code, message }: Refusal): string {
  return JSON.stringify({ error: code, message });
}
