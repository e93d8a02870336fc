import { createServer, type RequestListener, type Server } from 'node:http';
import { Server as NetServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { countConnections, type Connections } from './connections.ts';
import { deafen, frontDoor, NO_TUNNEL, rawRefusalOf, refuse } from './raw-refusals.ts';

/** How much of a caller's bytes and time is taken. */
export type ServerLimits = typeof LIMITS;

const LIMITS = {
  /** The longest request line and headers, in bytes; all our parameters fit many times over. */
  headersMaxBytes: 16_384,
  /** Callers that take longer than this to send their headers, or their whole request, are cut off. */
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 15_000,
  /** How often these two are looked at; Node's own 30 s would let a slow caller stay for 40. */
  lookEveryMs: 1_000,
  /** Longer than the 60 s after which common proxies drop an idle connection, so that they drop it first. */
  keepAliveMs: 65_000,
};
/** How long a stop waits for whom. */
export type StopTimes = typeof STOP;

const STOP = {
  /** How long answers under way may take once we are told to stop; the whole stop is to last under 3 s. */
  drainMs: 2_500,
  /**
   * Kept connections stay open for one more answer, which tells the caller that they end: all for a moment, and those of
   * callers that come again and again until they have been quiet for this long.
   */
  lastWordMs: 200,
  quietMs: 1_000,
};
/** How often those that have been quiet are looked for. */
export const SWEEP_MS = 25;

export type RunningServer = {
  /** The port it listens on; differs from the one asked for when that was 0. */
  port: number;
  /** Takes no more connections, lets the answers under way finish, then ends; within 2.5 s. */
  close: () => Promise<void>;
};

/** Listens, on a port or on a socket that was handed over; rejects with the system's error, such as `EADDRINUSE`, when it cannot. */
export async function startServer(
  listener: RequestListener,
  place: { port: number; host: string } | { fd: number },
  limits: ServerLimits = LIMITS,
  stop: StopTimes = STOP,
): Promise<RunningServer> {
  const connections = countConnections();
  const answer = frontDoor((request, response) => {
    connections.begin(response);
    listener(request, response);
  });
  const server = createServer(
    {
      maxHeaderSize: limits.headersMaxBytes,
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      connectionsCheckingInterval: limits.lookEveryMs,
      keepAliveTimeout: limits.keepAliveMs,
      // Node would refuse it without a body.
      requireHostHeader: false,
    },
    answer,
  );
  // What is expected of us is an answer; Node would give one without a body.
  server.on('checkExpectation', answer);
  server.on('connection', connections.opened);
  server.on('connect', (_request, socket) => {
    deafen(socket);
    refuse(socket, NO_TUNNEL);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    deafen(socket);
    // What was asked before it, all in order, is answered first.
    connections.whenAnswered(socket, () =>
      refuse(socket, rawRefusalOf(error.code, limits.headersMaxBytes)),
    );
  });
  // Who has said all it has to say, and closed its half, still wants the answer. Node has it as a field alone.
  Object.assign(server, { httpAllowHalfOpen: true });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(place, () => {
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
  { lastWords, quietFor }: Connections,
  { drainMs, lastWordMs, quietMs }: StopTimes,
): Promise<void> {
  lastWords();
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
  void after(lastWordMs, () => {
    // Who was never answered is waited for to the end: what it asks may be on its way.
    sweep = setInterval(() => quietFor(quietMs).forEach((socket) => socket.destroy()), SWEEP_MS);
  });
  await Promise.race([closed, after(drainMs, () => server.closeAllConnections())]);
  stopped.abort();
  clearInterval(sweep);
}
