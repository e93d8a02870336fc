import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Registry } from 'prom-client';
import type { MetricsPlace } from '../config.ts';
import { PortError } from '../errors.ts';

export type MetricsPort = { port: number; close: () => Promise<void> };

/** A scraper that is slower than this is cut off. */
const REQUEST_TIMEOUT_MS = 5_000;
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)(?::\d+)?$/i;
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-real-ip'];

/**
 * Answers `GET /metrics` at a port of its own with what `read` gives. On a loopback address it answers no page of a browser
 * that was led here under another name, and nobody a proxy lets in. Throws `PortError` when the port cannot be had.
 */
export async function openMetricsPort(
  { host, port }: MetricsPlace,
  read: () => Promise<string>,
): Promise<MetricsPort> {
  const isLocalOnly = LOOPBACK.test(host);
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, (request, response) => {
    const say = (status: number, text: string, type = 'text/plain; charset=utf-8') =>
      response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store' }).end(text);
    if (isLocalOnly && !isFromHere(request)) {
      say(403, 'Ask from this machine.\n');
    } else if (request.url?.split('?')[0] !== '/metrics') {
      say(404, 'See /metrics.\n');
    } else {
      read().then(
        (text) => say(200, text, Registry.PROMETHEUS_CONTENT_TYPE),
        () => say(500, 'The metrics cannot be read.\n'),
      );
    }
  });
  server.listen({ host, port });
  try {
    await once(server, 'listening');
  } catch (cause) {
    const { message } = cause as Error;
    throw new PortError(`Metrics cannot be served: ${message}`, { cause });
  }
  // Metrics keep no process alive.
  server.unref();
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function isFromHere({ headers }: IncomingMessage): boolean {
  return (
    LOOPBACK.test(headers.host ?? '') && FORWARDED.every((name) => headers[name] === undefined)
  );
}
