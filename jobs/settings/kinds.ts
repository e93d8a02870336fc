import { isIP } from 'node:net';
import { z } from 'zod';
import { isSentinelAddress } from '../../warehouse/ground/redis-address.ts';

/** Longest path of a Unix socket that the kernel accepts, in bytes. */
export const SOCKET_PATH_MAX = 107;
/**
 * Maximum number of processes, far more than the cores of a typical machine. It prevents a typing mistake from starting
 * thousands of processes.
 */
export const WORKERS_MAX = 64;

/**
 * Returns whether the text is an http(s) address to which file names can be appended. Refuses an address with a
 * password, because the password would appear in jobs and messages.
 */
export function isBaseUrl(text: string): boolean {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return false;
  const { username, password, search, hash } = new URL(text);
  return username === '' && password === '' && search === '' && hash === '';
}

/** Whether the text is a port; 0 means any free port. */
export function isPort(text: string): boolean {
  const port = Number(text);
  return /^\d{1,5}$/.test(text) && port <= 65_535;
}

/** Whether the text is a valid number of processes. */
export function isWorkerCount(text: string): boolean {
  return /^\d{1,2}$/.test(text) && Number(text) >= 1 && Number(text) <= WORKERS_MAX;
}

/** Whether the text is the address of a Redis, or the path of its socket. */
export function isRedisUrl(text: string): boolean {
  if (text.startsWith('/')) return Buffer.byteLength(text) <= SOCKET_PATH_MAX;
  if (isSentinelAddress(text)) return true;
  const url = URL.parse(text);
  return url !== null && ['redis:', 'rediss:'].includes(url.protocol) && url.hostname !== '';
}

/**
 * Creates a setting for a whole number. The number is at least `least` and has at most `digits` digits. `unit`
 * completes the error message.
 */
export function wholeNumber(name: string, preset: number, unit: string, digits: number, least = 0) {
  return z
    .string()
    .default(String(preset))
    .refine((text) => /^\d+$/.test(text) && text.length <= digits && Number(text) >= least, {
      error: ({ input }) => `${name} "${input}" is not a number of ${unit}`,
    })
    .transform(Number);
}

/** Creates a setting for a host name or address to listen on. The default is loopback. */
export function host(name: string) {
  return z
    .string()
    .default('127.0.0.1')
    .refine((text) => /^[\w.:%-]+$/.test(text), {
      error: ({ input }) => `${name} "${input}" is not a host name or address`,
    });
}

/** Creates an optional setting for a port. */
export function metricsPort(name: string) {
  return z
    .string()
    .refine(isPort, { error: ({ input }) => `${name} "${input}" is not a port (0 to 65535)` })
    .transform(Number)
    .optional();
}

/** Creates a setting that is 0 or 1. */
export function flag(name: string, preset: '0' | '1' = '0') {
  return z
    .string()
    .default(preset)
    .refine((text) => text === '0' || text === '1', {
      error: ({ input }) => `${name} "${input}" is neither 0 nor 1`,
    })
    .transform((text) => text === '1');
}

const NAMED_NETWORKS = ['loopback', 'linklocal', 'uniquelocal'];

/**
 * Creates a setting for a comma-separated list of proxies: addresses, networks such as `10.0.0.0/8`, or names of
 * networks.
 */
export function proxyList(name: string) {
  return z
    .string()
    .default('')
    .transform((text) =>
      text
        .split(',')
        .map((proxy) => proxy.trim())
        .filter((proxy) => proxy !== ''),
    )
    .refine((proxies) => proxies.every(isProxy), {
      error: ({ input }) =>
        `${name} "${String(input)}" is not a list of addresses, networks (10.0.0.0/8) or ${NAMED_NETWORKS.join(', ')}`,
    });
}

function isProxy(text: string): boolean {
  if (NAMED_NETWORKS.includes(text)) return true;
  const [address = '', bits, ...rest] = text.split('/');
  const longest = isIP(address) === 6 ? 128 : 32;
  const isRange = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= longest);
  return isIP(address) !== 0 && isRange && rest.length === 0;
}
