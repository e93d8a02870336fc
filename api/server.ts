import { createServer, type RequestListener, type Server } from 'node:http';
import { Server as NetServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** The longest request line and headers taken, in bytes; all our parameters fit many times over. */
const HEADERS_MAX_BYTES = 16_384;
/** Callers that take longer than this to send their headers, or their whole request, are cut off. */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 15_000;
/** Longer than the 60 s after which common proxies drop an idle connection, so that they drop it first. */
const KEEP_ALIVE_MS = 65_000;
/** How long answers under way may take once we are told to stop; the whole stop is to last under 3 s. */
const DRAIN_MS = 2_500;
/** How long kept connections stay open for one more answer, which tells the caller that they end. */
const LAST_WORD_MS = 200;

export type RunningServer = {
  /** The port it listens on; differs from the one asked for when that was 0. */
  port: number;
  /** Takes no more connections, lets the answers under way finish, then ends; within 2.5 s. */
  close: () => Promise<void>;
};

/** Listens; rejects with the system's error, such as `EADDRINUSE`, when it cannot. */
export async function startServer(
  listener: RequestListener,
  { port, host }: { port: number; host: string },
): Promise<RunningServer> {
  const server = createServer(
    {
      maxHeaderSize: HEADERS_MAX_BYTES,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
    },
    listener,
  );
  server.on('clientError', refuseGarbage);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return { port: (server.address() as AddressInfo).port, close: () => drain(server) };
}

async function drain(server: Server): Promise<void> {
  // Callers that keep their connection learn with the next answer that it ends.
  server.prependListener('request', (_request, response) => {
    response.setHeader('Connection', 'close');
  });
  // Not the server's own close: it also drops idle connections at once, on which a request may be arriving.
  const closed = new Promise<void>((resolve) => {
    NetServer.prototype.close.call(server, () => resolve());
  });
  const stopped = new AbortController();
  const after = (ms: number, then: () => void) =>
    sleep(ms, undefined, { signal: stopped.signal }).then(then, () => undefined);
  let sweep: NodeJS.Timeout | undefined;
  void after(LAST_WORD_MS, () => {
    sweep = setInterval(() => server.closeIdleConnections(), 25);
  });
  await Promise.race([closed, after(DRAIN_MS, () => server.closeAllConnections())]);
  stopped.abort();
  clearInterval(sweep);
}

/** Answers what is not HTTP, too large or too slow; such requests never reach the application. */
function refuseGarbage(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const [status, message] = REFUSALS[error.code ?? ''] ?? ['400 Bad Request', 'This is not HTTP.'];
  const body = JSON.stringify({ error: 'bad_request', message });
  const headers = `Content-Type: application/json; charset=utf-8\r\nContent-Length: ${body.length}`;
  socket.end(`HTTP/1.1 ${status}\r\n${headers}\r\nConnection: close\r\n\r\n${body}`);
}

const REFUSALS: Record<string, [status: string, message: string]> = {
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    `The address and headers may have ${HEADERS_MAX_BYTES} bytes together.`,
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long to arrive.'],
};
