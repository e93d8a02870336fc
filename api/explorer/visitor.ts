import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import proxyaddr from 'proxy-addr';

/** Whether an address is that of a proxy whose forwarding headers are believed. */
export type Trusts = (address: string, hop: number) => boolean;

/** Reads `TRUST_PROXY`: addresses, networks (`10.0.0.0/8`) or `loopback`, `linklocal`, `uniquelocal`. Nobody when empty. */
export function trustedProxies(named: readonly string[]): Trusts {
  return proxyaddr.compile([...named]);
}

/** Who is asking: an IPv4 address, or the /64 of an IPv6 one, which is what one subscriber has. */
export function visitorAddress(request: IncomingMessage, trusts: Trusts): string {
  const address = proxyaddr(request, trusts);
  // A unix socket has none; what a believed proxy passes on may be anything.
  if (address === undefined || !ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/64`).toString()}/64`;
}

/** The scheme the visitor's browser sees; a believed proxy tells it. */
export function schemeOf(request: IncomingMessage, trusts: Trusts): 'http' | 'https' {
  const told = request.headers['x-forwarded-proto'];
  const peer = request.socket.remoteAddress;
  return told === 'https' && peer !== undefined && trusts(peer, 0) ? 'https' : 'http';
}
