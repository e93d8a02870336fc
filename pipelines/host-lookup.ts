import type { LookupAddress, LookupAllOptions } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** Looks up the addresses of a host, as `dns.lookup` does. */
export type Lookup = (
  host: string,
  options: LookupAllOptions,
  done: (error: Error | null, found: LookupAddress[]) => void,
) => void;

/** Wraps a lookup so that each host is looked up once. */
export function memoizeLookup(find: Lookup): Lookup {
  const cache = new Map<string, LookupAddress[]>();
  return (host, options, done) => {
    const cached = cache.get(host);
    if (cached) return queueMicrotask(() => done(null, cached));
    find(host, options, (error, addresses) => {
      if (!error) cache.set(host, addresses);
      done(error, addresses);
    });
  };
}

/** Returns a lookup for a connection that checks every address of the host. `check` throws for a refused address. */
export function checkedLookup(find: Lookup, check: (address: string) => void): LookupFunction {
  return (host, options, done) => {
    find(host, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error || !first) return done(error ?? new Error(`${host} has no address`), '');
      try {
        for (const { address } of addresses) check(address);
      } catch (refusal) {
        return done(refusal as Error, '');
      }
      return options.all ? done(null, addresses) : done(null, first.address, first.family);
    });
  };
}

/** Whether an address is in an internal network, not on the internet. */
export function isInternalAddress(address: string): boolean {
  return INTERNAL_ADDRESSES.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

/**
 * Loopback, private, link-local (including cloud metadata) and reserved addresses, also IPv4 inside IPv6. IPv4-mapped
 * addresses (::ffff:0:0/96) need no range here: `BlockList` checks them against the IPv4 ranges, and a range for them
 * would block every IPv4 address.
 */
const INTERNAL_ADDRESSES = new BlockList();
for (const range of [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16'],
  ...['172.16.0.0/12', '192.0.0.0/24', '192.168.0.0/16', '198.18.0.0/15', '224.0.0.0/3'],
  ...['::/96', '64:ff9b::/32', '2002::/16', 'fc00::/7', 'fe80::/9', 'ff00::/8'],
]) {
  const [net = '', prefix] = range.split('/');
  INTERNAL_ADDRESSES.addSubnet(net, Number(prefix), net.includes(':') ? 'ipv6' : 'ipv4');
}
