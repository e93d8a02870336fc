import { connect, type Socket } from 'node:net';

export type Load = {
  port: number;
  /** Addresses asked for in turn, each connection starting elsewhere in the list. */
  paths: string[];
  connections: number;
  ms: number;
};

export type LoadResult = {
  requests: number;
  seconds: number;
  /** Answers other than 200, and connections that broke. */
  errors: number;
  /** Time of every answer in ms, ascending. */
  latencies: Float64Array;
};

const END_OF_HEAD = '\r\n\r\n';
const LENGTH_HEADER = /\r\ncontent-length: (\d+)/i;

/**
 * Keeps each of the connections busy with one request at a time, over HTTP/1.1 kept alive.
 * A client of our own, because autocannon needs a whole core where a bare Koa does, which leaves Redis none
 * of two, and rounds latencies to milliseconds.
 */
export async function load({ port, paths, connections, ms }: Load): Promise<LoadResult> {
  const requests = paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
  const latencies: number[] = [];
  let errors = 0;
  const startedAt = performance.now();
  const until = startedAt + ms;
  const ends = Array.from({ length: connections }, (_, at) =>
    converse({
      socket: connect({ port, host: '127.0.0.1', noDelay: true }),
      requests,
      first: Math.floor((at * requests.length) / connections),
      until,
      seen: (latencyMs, isGood) => {
        latencies.push(latencyMs);
        if (!isGood) errors++;
      },
    }).catch(() => void errors++),
  );
  await Promise.all(ends);
  const seconds = (performance.now() - startedAt) / 1_000;
  const sorted = Float64Array.from(latencies).toSorted();
  return { requests: latencies.length, seconds, errors, latencies: sorted };
}

/** The latency below which that share of the answers lies, in ms. */
export function percentile({ latencies }: LoadResult, share: number): number {
  return latencies[Math.ceil(share * latencies.length) - 1] ?? Number.NaN;
}

type Conversation = {
  socket: Socket;
  requests: string[];
  first: number;
  until: number;
  seen: (latencyMs: number, isGood: boolean) => void;
};

/** Sends the next request when the answer to the one before is whole; rejects when the connection breaks. */
function converse({ socket, requests, first, until, seen }: Conversation): Promise<void> {
  return new Promise((resolve, reject) => {
    let next = first;
    let sentAt = 0;
    let answer = '';
    let isDone = false;
    const send = () => {
      answer = '';
      sentAt = performance.now();
      socket.write(requests[next++ % requests.length] ?? '');
    };
    // Latin 1: one character a byte, so lengths are those of the header.
    socket.setEncoding('latin1');
    socket.once('connect', send);
    socket.on('data', (chunk: string) => {
      answer += chunk;
      if (!isWhole(answer)) return;
      const now = performance.now();
      seen(now - sentAt, answer.startsWith('HTTP/1.1 200 '));
      if (now < until) return send();
      isDone = true;
      socket.end();
    });
    socket.once('error', reject);
    socket.once('close', () => (isDone ? resolve() : reject(new Error('connection lost'))));
  });
}

function isWhole(answer: string): boolean {
  const headEnd = answer.indexOf(END_OF_HEAD);
  if (headEnd === -1) return false;
  const length = Number(LENGTH_HEADER.exec(answer)?.[1] ?? 0);
  return answer.length >= headEnd + END_OF_HEAD.length + length;
}
