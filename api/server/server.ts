import { createServer, type RequestListener, type Server } from 'node:http';
import { Server as NetServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { trackConnections, type Connections } from './connections.ts';
import {
  discardInput,
  refuseBadAddresses,
  NO_CONNECT,
  refusalOfParserError,
  sendRefusal,
} from './raw-refusals.ts';

/** Limits on the size and time of requests. */
export type ServerLimits = typeof LIMITS;

const LIMITS = {
  /** Maximum size of request line and headers, in bytes. Our longest requests are much shorter. */
  headersMaxBytes: 16_384,
  /** Time limits for receiving the headers and the whole request. Connections of slower callers are closed. */
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 15_000,
  /**
   * Interval at which the two time limits are checked. With Node's default of 30 s, a slow caller could stay connected
   * for 40 s.
   */
  checkEveryMs: 1_000,
  /**
   * Idle connections stay open for this time. Common proxies close idle connections after 60 s, so the proxy closes
   * first.
   */
  keepAliveMs: 65_000,
};
/** Durations of the phases of a stop. */
export type StopTimes = typeof STOP;

const STOP = {
  /** Maximum time to finish answers after the stop begins. The whole stop must take less than 3 s. */
  drainMs: 2_500,
  /**
   * After the stop begins, an idle connection may still get one answer, which announces that the connection closes.
   * After `lastAnswerMs`, connections are closed if their last answer was at least `idleMs` ago.
   */
  lastAnswerMs: 200,
  idleMs: 1_000,
};
/** Interval at which the server looks for idle connections and closes them. */
export const SWEEP_MS = 25;

export type RunningServer = {
  /** The actual port; useful if the configured port is 0. */
  port: number;
  /** Accepts no new connections and waits for unfinished answers. Closes within 2.5 s. */
  close: () => Promise<void>;
};

/** Listens on a port or on a socket that is already open. Rejects with the system's error, for example `EADDRINUSE`. */
export async function startServer(
  listener: RequestListener,
  target: { port: number; host: string } | { fd: number },
  limits: ServerLimits = LIMITS,
  stop: StopTimes = STOP,
): Promise<RunningServer> {
  const connections = trackConnections();
  const answer = refuseBadAddresses((request, response) => {
    connections.trackAnswer(response);
    listener(request, response);
  });
  const server = createServer(
    {
      maxHeaderSize: limits.headersMaxBytes,
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      connectionsCheckingInterval: limits.checkEveryMs,
      keepAliveTimeout: limits.keepAliveMs,
      // We check the Host header ourselves, because Node's refusal would have no body.
      requireHostHeader: false,
      // Saves time: a request without a body gets a body stream that has already ended.
      optimizeEmptyRequests: true,
    },
    answer,
  );
  // Answers requests with the header `Expect` like other requests. Node's own refusal would have no body.
  server.on('checkExpectation', answer);
  server.on('connection', connections.track);
  server.on('connect', (_request, socket) => {
    discardInput(socket);
    sendRefusal(socket, NO_CONNECT);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    discardInput(socket);
    // First answer the earlier requests on this connection.
    connections.runWhenIdle(socket, () =>
      sendRefusal(socket, refusalOfParserError(error.code, limits.headersMaxBytes)),
    );
  });
  // A caller that closes its sending side still gets an answer. Node offers this setting only as a property.
  Object.assign(server, { httpAllowHalfOpen: true });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(target, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () => drain(server, connections, stop),
  };
}

async function drain(
  server: Server,
  { endKeepAlive, listIdle }: Connections,
  { drainMs, lastAnswerMs, idleMs }: StopTimes,
): Promise<void> {
  endKeepAlive();
  // The next answer on an open connection announces that the connection closes.
  server.prependListener('request', (_request, response) => {
    response.setHeader('Connection', 'close');
  });
  // The HTTP server's own close function would also close idle connections immediately. A request may be arriving on
  // such a connection.
  const closed = new Promise<void>((resolve) => {
    NetServer.prototype.close.call(server, () => resolve());
  });
  const stopped = new AbortController();
  const after = (ms: number, action: () => void) =>
    sleep(ms, undefined, { signal: stopped.signal }).then(action, () => undefined);
  let sweep: NodeJS.Timeout | undefined;
  void after(lastAnswerMs, () => {
    // Connections without any answer so far stay open to the end, because their first request may be on its way.
    sweep = setInterval(() => listIdle(idleMs).forEach((socket) => socket.destroy()), SWEEP_MS);
  });
  await Promise.race([closed, after(drainMs, () => server.closeAllConnections())]);
  stopped.abort();
  clearInterval(sweep);
}
