import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import type { Context } from 'koa';
import proxyaddr from 'proxy-addr';
import { RequestError } from '../errors.ts';

/** Returns whether an address belongs to a proxy whose forwarding headers are trusted. */
export type Trusts = (address: string, hop: number) => boolean;

/**
 * Parses `TRUST_PROXY`: addresses, networks (`10.0.0.0/8`), or the names `loopback`, `linklocal`, `uniquelocal`. An
 * empty setting trusts no proxy.
 */
export function trustedProxies(names: readonly string[]): Trusts {
  return proxyaddr.compile([...names]);
}

/**
 * Returns the visitor's IPv4 address. For IPv6, returns the /64 network, because one subscriber has the whole network.
 */
export function visitorAddress(request: IncomingMessage, trusts: Trusts): string {
  const address = proxyaddr(request, trusts);
  // Unix sockets have no addresses, and a trusted proxy may send any text.
  if (address === undefined || !ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/64`).toString()}/64`;
}

/** Maximum length of a host name in DNS. */
const MAX_HOST_CHARS = 253;

/** Returns scheme and host; undefined if the host is not a valid host name. */
export function siteAt(scheme: 'http' | 'https', host: string): string | undefined {
  const url = URL.parse(`${scheme}://${host}`);
  // Measure the parsed name, because parsing may lengthen it: `é` becomes `xn--9ca`.
  return url && url.hostname.length <= MAX_HOST_CHARS ? url.origin : undefined;
}

/** Returns whether a page of another site sent the request. Browsers name the site, programs usually do not. */
export function isFromOtherSite(call: Pick<Context, 'get'>): boolean {
  return ['cross-site', 'same-site'].includes(call.get('Sec-Fetch-Site').toLowerCase());
}

/** The error for requests whose host is not a valid host name. */
export function invalidHostError(): RequestError {
  return new RequestError(400, 'bad_request', 'The Host header is not a valid host name.');
}

/** Returns the scheme (`http` or `https`) that the visitor's browser uses, as a trusted proxy reports it. */
export function schemeOf(request: IncomingMessage, trusts: Trusts): 'http' | 'https' {
  const scheme = request.headers['x-forwarded-proto'];
  const peer = request.socket.remoteAddress;
  return scheme === 'https' && peer !== undefined && trusts(peer, 0) ? 'https' : 'http';
}
