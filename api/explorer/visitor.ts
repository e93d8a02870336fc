import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import proxyaddr from 'proxy-addr';

/** Whether an address belongs to a trusted proxy, whose forwarding headers are used. */
export type Trusts = (address: string, hop: number) => boolean;

/**
 * Parses `TRUST_PROXY`: addresses, networks (`10.0.0.0/8`) or `loopback`, `linklocal`, `uniquelocal`. If empty, no
 * proxy is trusted.
 */
export function trustedProxies(names: readonly string[]): Trusts {
  return proxyaddr.compile([...names]);
}

/**
 * Returns the visitor's IPv4 address, or the /64 network of an IPv6 address, because one subscriber has all addresses
 * of a /64 network.
 */
export function visitorAddress(request: IncomingMessage, trusts: Trusts): string {
  const address = proxyaddr(request, trusts);
  // A connection over a unix socket has no address, and a trusted proxy may pass on any text.
  if (address === undefined || !ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/64`).toString()}/64`;
}

/** The maximum length of a host name in the domain name system. */
const MAX_HOST_CHARS = 253;

/** Returns scheme and host; undefined if the host is not a valid host name. */
export function siteAt(scheme: 'http' | 'https', host: string): string | undefined {
  const url = URL.parse(`${scheme}://${host}`);
  // The parsed name is measured, because parsing may lengthen the name: `é` becomes `xn--9ca`.
  return url && url.hostname.length <= MAX_HOST_CHARS ? url.origin : undefined;
}

/** Returns the scheme in the visitor's browser, as a trusted proxy reports it. */
export function schemeOf(request: IncomingMessage, trusts: Trusts): 'http' | 'https' {
  const scheme = request.headers['x-forwarded-proto'];
  const peer = request.socket.remoteAddress;
  return scheme === 'https' && peer !== undefined && trusts(peer, 0) ? 'https' : 'http';
}
