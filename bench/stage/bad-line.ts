import { once } from 'node:events';
import {
  createServer,
  request as requestTarget,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../generate/random.ts';

/** Disturbances of the connection to a storage. */
const DISTURBANCES = ['503', 'slow', 'cut answer', 'cut request', 'hang up'] as const;

export type DisturbedProxy = {
  url: string;
  /** Number of disturbances of each kind. */
  disturbances: Map<string, number>;
  /** Returns the number of requests by method since the last call of this function. */
  takeCounts: () => Record<string, number>;
  /** Sets the percentage of requests that are disturbed. */
  setRate: (percent: number) => void;
  /** Sets whether every request fails. */
  setOffline: (offline: boolean) => void;
  close: () => Promise<void>;
};

const SLOW_MS = 400;

/** Starts a proxy that disturbs a share of the requests and passes the others on unchanged. */
export async function openDisturbedProxy(target: string, random: Random): Promise<DisturbedProxy> {
  const disturbances = new Map<string, number>();
  let methods: Record<string, number> = {};
  let rate = 0;
  let isOffline = false;
  const server = createServer((request, response) => {
    pass(request, response).catch(() => response.destroy());
  });
  const pass = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await buffer(request);
    if (isOffline) {
      response.destroy();
      return;
    }
    const kind = request.url?.includes('list-type') ? 'LIST' : (request.method ?? '');
    methods[kind] = (methods[kind] ?? 0) + 1;
    const disturbance =
      random.next() * 100 < rate
        ? DISTURBANCES[Math.floor(random.next() * DISTURBANCES.length)]
        : undefined;
    if (disturbance) disturbances.set(disturbance, (disturbances.get(disturbance) ?? 0) + 1);
    if (disturbance === '503') {
      response.writeHead(503).end('<Error><Code>SlowDown</Code></Error>');
      return;
    }
    if (disturbance === 'hang up') {
      response.destroy();
      return;
    }
    if (disturbance === 'slow') await sleep(SLOW_MS);
    // The server receives only half of the body, and refuses it.
    const requestBody =
      disturbance === 'cut request' && body.length > 1 ? body.subarray(0, body.length / 2) : body;
    // The signature covers the `Host` header, so this header stays unchanged.
    const forwarded = requestTarget(target, {
      method: request.method,
      path: request.url,
      headers: { ...request.headers, 'content-length': requestBody.length },
    });
    forwarded.end(requestBody);
    const [answer] = (await once(forwarded, 'response')) as [IncomingMessage];
    const answerBody = await buffer(answer);
    response.writeHead(answer.statusCode ?? 502, { 'content-length': answerBody.length });
    if (disturbance !== 'cut answer' || answerBody.length < 2) response.end(answerBody);
    else response.write(answerBody.subarray(0, answerBody.length / 2), () => response.destroy());
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    disturbances,
    takeCounts: () => {
      const counted = methods;
      methods = {};
      return counted;
    },
    setRate: (percent) => {
      rate = percent;
    },
    setOffline: (offline) => {
      isOffline = offline;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
