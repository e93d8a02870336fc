import { once } from 'node:events';
import { createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../generate/random.ts';

/** What a line between us and a storage does. */
export const TROUBLES = ['503', 'slow', 'cut answer', 'cut request', 'hang up'] as const;

export type BadLine = {
  url: string;
  /** Of each kind, how often. */
  troubles: Map<string, number>;
  /** Requests by method since it was last asked. */
  counted: () => Record<string, number>;
  /** How many of a hundred requests meet trouble from now on. */
  setRate: (percent: number) => void;
  /** Whether nothing comes through at all. */
  setAway: (isAway: boolean) => void;
  close: () => Promise<void>;
};

const SLOW_MS = 400;

/** A proxy that passes requests on as they are, and now and then does not. */
export async function openBadLine(target: string, random: Random): Promise<BadLine> {
  const troubles = new Map<string, number>();
  let methods: Record<string, number> = {};
  let rate = 0;
  let isAway = false;
  const server = createServer((request, response) => {
    pass(request, response).catch(() => response.destroy());
  });
  const pass = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await buffer(request);
    if (isAway) {
      response.destroy();
      return;
    }
    const kind = request.url?.includes('list-type') ? 'LIST' : (request.method ?? '');
    methods[kind] = (methods[kind] ?? 0) + 1;
    const trouble =
      random.next() * 100 < rate
        ? TROUBLES[Math.floor(random.next() * TROUBLES.length)]
        : undefined;
    if (trouble) troubles.set(trouble, (troubles.get(trouble) ?? 0) + 1);
    if (trouble === '503') {
      response.writeHead(503).end('<Error><Code>SlowDown</Code></Error>');
      return;
    }
    if (trouble === 'hang up') {
      response.destroy();
      return;
    }
    if (trouble === 'slow') await sleep(SLOW_MS);
    // A server that got half a body refuses it; the rest is never sent.
    const sent =
      trouble === 'cut request' && body.length > 1 ? body.subarray(0, body.length / 2) : body;
    // The host is part of what is signed, so it stays.
    const asked = ask(target, {
      method: request.method,
      path: request.url,
      headers: { ...request.headers, 'content-length': sent.length },
    });
    asked.end(sent);
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    const whole = await buffer(answer);
    response.writeHead(answer.statusCode ?? 502, { 'content-length': whole.length });
    if (trouble !== 'cut answer' || whole.length < 2) response.end(whole);
    else response.write(whole.subarray(0, whole.length / 2), () => response.destroy());
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    troubles,
    counted: () => {
      const counted = methods;
      methods = {};
      return counted;
    },
    setRate: (percent) => {
      rate = percent;
    },
    setAway: (away) => {
      isAway = away;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
