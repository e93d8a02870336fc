import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** Answers under way, of all connections and of each. */
export type Connections = {
  /** Counts an answer until it is given, or cannot be any more. */
  begin: (response: ServerResponse) => void;
  underWay: () => number;
  /** Does it once no answer is under way on the connection; at most one thing, the first. */
  whenAnswered: (socket: Duplex, act: () => void) => void;
};

type Counted = Duplex & { [UNDER_WAY]?: number; [THEN]?: () => void };

const UNDER_WAY = Symbol('answers under way');
const THEN = Symbol('what to do then');

/** Nothing is under way yet. Counts stand on the sockets themselves: a look-up would cost each request more. */
export function countConnections(): Connections {
  let all = 0;
  function answered(this: ServerResponse): void {
    all -= 1;
    const socket: Counted = this.req.socket;
    const left = (socket[UNDER_WAY] ?? 1) - 1;
    socket[UNDER_WAY] = left;
    if (left === 0) socket[THEN]?.();
  }
  return {
    begin: (response) => {
      all += 1;
      const socket: Counted = response.req.socket;
      socket[UNDER_WAY] = (socket[UNDER_WAY] ?? 0) + 1;
      response.on('close', answered);
    },
    underWay: () => all,
    whenAnswered: (socket: Counted, act) => {
      if (socket[THEN]) return;
      socket[THEN] = act;
      if ((socket[UNDER_WAY] ?? 0) === 0) act();
    },
  };
}
