import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Registry } from 'prom-client';
import type { MetricsAddress } from '../config.ts';
import { PortError } from '../errors.ts';

export type MetricsPort = { port: number; close: () => Promise<void> };

/** Maximum time in ms for a scraper to send its request. After that, the connection is closed. */
const REQUEST_TIMEOUT_MS = 5_000;
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)(?::\d+)?$/i;
const FORWARDING_HEADERS = ['forwarded', 'x-forwarded-for', 'x-real-ip'];

/**
 * Answers `GET /metrics` on a separate port with the text from `read`. On a loopback address, the port refuses requests
 * through a proxy and requests for another host name. The check of the host name prevents DNS rebinding attacks. Throws
 * `PortError` if the port cannot be opened.
 */
export async function openMetricsPort(
  { host, port }: MetricsAddress,
  read: () => Promise<string>,
): Promise<MetricsPort> {
  const isLocalOnly = LOOPBACK.test(host);
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, (request, response) => {
    const respond = (status: number, text: string, type = 'text/plain; charset=utf-8') =>
      response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store' }).end(text);
    if (isLocalOnly && !isLocalRequest(request)) {
      respond(403, 'Metrics are available only from this machine.\n');
    } else if (request.url?.split('?')[0] !== '/metrics') {
      respond(404, 'Not found. The metrics are at /metrics.\n');
    } else {
      read().then(
        (text) => respond(200, text, Registry.PROMETHEUS_CONTENT_TYPE),
        () => respond(500, 'The metrics could not be read.\n'),
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
  // Without this call, the metrics port would prevent the process from ending.
  server.unref();
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function isLocalRequest({ headers }: IncomingMessage): boolean {
  return (
    LOOPBACK.test(headers.host ?? '') &&
    FORWARDING_HEADERS.every((name) => headers[name] === undefined)
  );
}
