import type { LookupAddress, LookupAllOptions } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** Finds the addresses of a host, as `dns.lookup` does. */
export type Lookup = (
  host: string,
  options: LookupAllOptions,
  done: (error: Error | null, found: LookupAddress[]) => void,
) => void;

/** Remembers the addresses of each host. */
export function lookingOnce(find: Lookup): Lookup {
  const known = new Map<string, LookupAddress[]>();
  return (host, options, done) => {
    const before = known.get(host);
    if (before) return queueMicrotask(() => done(null, before));
    find(host, options, (error, found) => {
      if (!error) known.set(host, found);
      done(error, found);
    });
  };
}

/** Looks a host up at the moment of connecting, so that what was checked is what is connected to; `check` throws. */
export function checkedLookup(find: Lookup, check: (address: string) => void): LookupFunction {
  return (host, options, done) => {
    find(host, { ...options, all: true }, (error, found) => {
      const [first] = found ?? [];
      if (error || !first) return done(error ?? new Error(`${host} has no address`), '');
      try {
        for (const { address } of found) check(address);
      } catch (refusal) {
        return done(refusal as Error, '');
      }
      return options.all ? done(null, found) : done(null, first.address, first.family);
    });
  };
}

/** Whether an address is none of the internet. */
export function isOurOwn(address: string): boolean {
  return OUR_OWN.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

/**
 * Loopback, private, link-local (cloud metadata among them) and reserved addresses; IPv4 inside IPv6 too. A list
 * holds an IPv4 address against its IPv4 ranges however it is written, so those in ::ffff:0:0/96 need no range: it would
 * be one of every IPv4 address.
 */
const OUR_OWN = new BlockList();
for (const range of [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16'],
  ...['172.16.0.0/12', '192.0.0.0/24', '192.168.0.0/16', '198.18.0.0/15', '224.0.0.0/3'],
  ...['::/96', '64:ff9b::/32', '2002::/16', 'fc00::/7', 'fe80::/9', 'ff00::/8'],
]) {
  const [net = '', prefix] = range.split('/');
  OUR_OWN.addSubnet(net, Number(prefix), net.includes(':') ? 'ipv6' : 'ipv4');
}
