import type { Agent, IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { openResponse } from '../warehouse/ground/http-exchange.ts';
import { SourceRefusedError } from './errors.ts';
import { checkedLookup, isInternalAddress, memoizeLookup, type Lookup } from './host-lookup.ts';

export type Exchange = {
  /** Name of the requested address in messages. */
  name: string;
  method?: 'GET' | 'HEAD' | 'POST';
  headers: Record<string, string>;
  body?: string;
  signal: AbortSignal;
  find: Lookup;
  /**
   * Keeps connections open for further requests. Use it only for trusted addresses, or for addresses that were checked.
   * If absent, each request opens a new connection.
   */
  agent?: Agent;
  /** Called before each request to a host, also after redirects. */
  waitForHost?: (host: string) => Promise<void>;
};

/** More redirects than this are treated as a loop. */
const MAX_REDIRECTS = 5;

/**
 * Sends the request, follows redirects and returns the final response. The caller must read or destroy the body.
 * - The operator chose the requested address, so it may be in our own network.
 * - The server chooses redirects. At most five are followed, only to http(s), and into our own network only within the
 *   requested origin.
 * - Each host is looked up once, and the connection uses the checked address. A host cannot bypass the check by
 *   changing its address.
 * Throws `SourceRefusedError` for a refused address, and errors of Node unchanged.
 */
export async function follow(url: string, exchange: Exchange): Promise<IncomingMessage> {
  const { name, waitForHost } = exchange;
  const find = memoizeLookup(exchange.find);
  const start = httpUrl(url, name);
  let current = start;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    await waitForHost?.(current.host);
    const response = await requestOnce(current, current.origin === start.origin, {
      ...exchange,
      find,
    });
    const { location } = response.headers;
    if (!isRedirect(response.statusCode ?? 0) || location === undefined) return response;
    response.on('error', () => undefined).destroy();
    current = httpUrl(URL.parse(location, current.href)?.href ?? location, name);
  }
  throw new SourceRefusedError(name, `redirects more than ${MAX_REDIRECTS} times`);
}

/** Returns the headers of a response, with all values of repeated headers. */
export function headersOf({ headersDistinct }: IncomingMessage): Headers {
  const pairs = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  return new Headers(pairs);
}

/**
 * Sends one request and returns its response with any status, also a redirect. If the address is not trusted, throws
 * `SourceRefusedError` for addresses in our own network.
 */
export async function requestOnce(
  url: URL,
  isTrusted: boolean,
  { name, method = 'GET', headers, body, signal, find, agent }: Exchange,
): Promise<IncomingMessage> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const check = isTrusted
    ? () => undefined
    : (address: string) => refuseInternalAddress(name, address);
  // Check an IP address here, because it is not looked up.
  if (isIP(host) > 0) check(host);
  const options = {
    method,
    headers: { accept: '*/*', ...headers },
    signal,
    // Without an agent, each request has a new connection, because a pooled connection skips the address check.
    agent: agent ?? false,
    lookup: checkedLookup(find, check),
  };
  return openResponse(url, options, body);
}

function refuseInternalAddress(name: string, address: string): void {
  if (!isInternalAddress(address)) return;
  throw new SourceRefusedError(name, `leads to ${address}, which is not on the internet`);
}

/** Whether a response with this status and a `Location` header is a redirect. */
function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}

/** Parses an http(s) address. Throws `SourceRefusedError` for any other text; `name` is the requested address. */
function httpUrl(text: string, name: string): URL {
  const url = URL.parse(text);
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  const target = url === null ? 'an invalid address' : `a ${url.protocol} address`;
  throw new SourceRefusedError(name, `leads to ${target}; only http(s) is supported`);
}
