import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** Tracks open connections and the unfinished answers on each connection. */
export type Connections = {
  /** Tracks a connection until it closes. */
  track: (socket: Duplex) => void;
  /** Counts an answer as unfinished until it is sent or the connection closes. */
  trackAnswer: (response: ServerResponse) => void;
  /** Makes the latest unfinished answer of each connection announce that the connection closes. */
  endKeepAlive: () => void;
  /** Lists idle connections. Their last answer was at least `ms` ago, and no request has arrived since. */
  listIdle: (ms: number) => Duplex[];
  /** Runs the action when the connection has no unfinished answer. Each connection runs only its first action. */
  runWhenIdle: (socket: Duplex, action: () => void) => void;
};

type TrackedSocket = Duplex & {
  [OPEN_ANSWERS]?: number;
  [LATEST_ANSWER]?: ServerResponse | undefined;
  [ANSWERED_AT]?: number;
  [ON_IDLE]?: () => void;
};

const ANSWERED_AT = Symbol('time of the last answer');
const LATEST_ANSWER = Symbol('latest answer');
const OPEN_ANSWERS = Symbol('unfinished answers');
const ON_IDLE = Symbol('action when idle');

/** Creates a tracker. Counts are stored on the sockets, because looking them up in a map would be slower. */
export function trackConnections(): Connections {
  const open = new Set<TrackedSocket>();
  function onAnswerClose(this: ServerResponse): void {
    const socket: TrackedSocket = this.req.socket;
    const openCount = (socket[OPEN_ANSWERS] ?? 1) - 1;
    socket[OPEN_ANSWERS] = openCount;
    socket[ANSWERED_AT] = performance.now();
    if (openCount > 0) return;
    socket[LATEST_ANSWER] = undefined;
    socket[ON_IDLE]?.();
  }
  return {
    track: (socket) => {
      open.add(socket);
      socket.once('close', () => open.delete(socket));
    },
    trackAnswer: (response) => {
      const socket: TrackedSocket = response.req.socket;
      socket[OPEN_ANSWERS] = (socket[OPEN_ANSWERS] ?? 0) + 1;
      socket[LATEST_ANSWER] = response;
      response.on('close', onAnswerClose);
    },
    endKeepAlive: () => {
      for (const { [LATEST_ANSWER]: answer } of open) if (answer) answer.shouldKeepAlive = false;
    },
    listIdle: (ms) => {
      const until = performance.now() - ms;
      const isIdle = (socket: TrackedSocket) =>
        socket[OPEN_ANSWERS] === 0 && (socket[ANSWERED_AT] ?? Infinity) <= until;
      return [...open].filter(isIdle);
    },
    runWhenIdle: (socket: TrackedSocket, action) => {
      if (socket[ON_IDLE]) return;
      socket[ON_IDLE] = action;
      if ((socket[OPEN_ANSWERS] ?? 0) === 0) action();
    },
  };
}
