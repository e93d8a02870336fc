import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** The connections there are, and the answers under way on each. */
export type Connections = {
  /** Knows a connection until it ends. */
  opened: (socket: Duplex) => void;
  /** Counts an answer until it is given, or cannot be any more. */
  begin: (response: ServerResponse) => void;
  /** Has the answers under way say that the connection ends with them. */
  lastWords: () => void;
  /** Those that were answered that long ago, in ms, or longer, and have asked for nothing since. */
  quietFor: (ms: number) => Duplex[];
  /** Does it once no answer is under way on the connection; at most one thing, the first. */
  whenAnswered: (socket: Duplex, act: () => void) => void;
};

type Counted = Duplex & {
  [UNDER_WAY]?: number;
  [LATEST]?: ServerResponse | undefined;
  [ANSWERED_AT]?: number;
  [THEN]?: () => void;
};

const ANSWERED_AT = Symbol('when it was answered last');
const LATEST = Symbol('the answer begun last');
const UNDER_WAY = Symbol('answers under way');
const THEN = Symbol('what to do then');

/** No connections yet. Counts stand on the sockets themselves: a look-up would cost each request more. */
export function countConnections(): Connections {
  const open = new Set<Counted>();
  function answered(this: ServerResponse): void {
    const socket: Counted = this.req.socket;
    const left = (socket[UNDER_WAY] ?? 1) - 1;
    socket[UNDER_WAY] = left;
    socket[ANSWERED_AT] = performance.now();
    if (left > 0) return;
    socket[LATEST] = undefined;
    socket[THEN]?.();
  }
  return {
    opened: (socket) => {
      open.add(socket);
      socket.once('close', () => open.delete(socket));
    },
    begin: (response) => {
      const socket: Counted = response.req.socket;
      socket[UNDER_WAY] = (socket[UNDER_WAY] ?? 0) + 1;
      socket[LATEST] = response;
      response.on('close', answered);
    },
    lastWords: () => {
      for (const { [LATEST]: answer } of open) if (answer) answer.shouldKeepAlive = false;
    },
    quietFor: (ms) => {
      const until = performance.now() - ms;
      const isQuiet = (socket: Counted) =>
        socket[UNDER_WAY] === 0 && (socket[ANSWERED_AT] ?? Infinity) <= until;
      return [...open].filter(isQuiet);
    },
    whenAnswered: (socket: Counted, act) => {
      if (socket[THEN]) return;
      socket[THEN] = act;
      if ((socket[UNDER_WAY] ?? 0) === 0) act();
    },
  };
}
