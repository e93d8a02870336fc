import { connect, type Socket } from 'node:net';

export type Load = {
  port: number;
  /** Paths, requested in order. Each connection starts at a different place in the list. */
  paths: string[];
  /** The ETag that is sent with each path; absent if the calls are not conditional. */
  etags?: readonly string[];
  connections: number;
  ms: number;
};

export type LoadResult = {
  requests: number;
  seconds: number;
  /** Answers other than 200 and 304, and broken connections. */
  errors: number;
  /** Answers with 304. */
  unchanged: number;
  /** Latency of each answer in ms, ascending. */
  latencies: Float64Array;
};

const END_OF_HEAD = '\r\n\r\n';
const STATUS_AT = 'HTTP/1.1 '.length;
const LENGTH_HEADER = /\r\ncontent-length: (\d+)/i;

/**
 * Keeps each connection busy with one request at a time, over HTTP/1.1 with keep-alive. autocannon cannot replace this
 * function. The server, the client and Redis share two cores, and autocannon needs a whole core even with a bare Koa.
 * autocannon also rounds to whole milliseconds.
 */
export async function load({
  port,
  paths,
  etags = [],
  connections,
  ms,
}: Load): Promise<LoadResult> {
  const requests = paths.map((path, at) => {
    const condition = etags[at] === undefined ? '' : `If-None-Match: ${etags[at]}\r\n`;
    return `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${condition}\r\n`;
  });
  const latencies: number[] = [];
  let [errors, unchanged] = [0, 0];
  const startedAt = performance.now();
  const until = startedAt + ms;
  const ends = Array.from({ length: connections }, (_, at) =>
    sendRequests({
      socket: connect({ port, host: '127.0.0.1', noDelay: true }),
      requests,
      first: Math.floor((at * requests.length) / connections),
      until,
      onAnswer: (latencyMs, status) => {
        latencies.push(latencyMs);
        if (status === '304') unchanged++;
        else if (status !== '200') errors++;
      },
    }).catch(() => void errors++),
  );
  await Promise.all(ends);
  const seconds = (performance.now() - startedAt) / 1_000;
  const sorted = Float64Array.from(latencies).toSorted();
  return { requests: latencies.length, seconds, errors, unchanged, latencies: sorted };
}

/** Returns a percentile: the latency, in ms, that this share of the answers does not exceed. */
export function percentile({ latencies }: Pick<LoadResult, 'latencies'>, share: number): number {
  return latencies[Math.ceil(share * latencies.length) - 1] ?? Number.NaN;
}

type Connection = {
  socket: Socket;
  requests: string[];
  first: number;
  until: number;
  onAnswer: (latencyMs: number, status: string) => void;
};

/** Sends each request when the previous answer is complete; rejects if the connection breaks. */
function sendRequests({ socket, requests, first, until, onAnswer }: Connection): Promise<void> {
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
    // In Latin-1 each byte is one character, so string lengths match the header.
    socket.setEncoding('latin1');
    socket.once('connect', send);
    socket.on('data', (chunk: string) => {
      answer += chunk;
      if (!isComplete(answer)) return;
      const now = performance.now();
      onAnswer(now - sentAt, answer.slice(STATUS_AT, STATUS_AT + 3));
      if (now < until) return send();
      isDone = true;
      socket.end();
    });
    socket.once('error', reject);
    socket.once('close', () => (isDone ? resolve() : reject(new Error('connection lost'))));
  });
}

function isComplete(answer: string): boolean {
  const headEnd = answer.indexOf(END_OF_HEAD);
  if (headEnd === -1) return false;
  const length = Number(LENGTH_HEADER.exec(answer)?.[1] ?? 0);
  return answer.length >= headEnd + END_OF_HEAD.length + length;
}
