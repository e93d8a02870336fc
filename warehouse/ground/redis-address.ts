import { Redis, type RedisOptions } from 'ioredis';

/** Options of a client, except the mapping of replies. */
type ClientOptions = Omit<RedisOptions, 'replyMapping'>;

/** Redis behind sentinels: the sentinels' addresses and the name of the primary. */
type Sentinels = {
  sentinels: { host: string; port: number }[];
  name: string;
  username?: string;
  password?: string;
  db?: number;
};

const SENTINEL_PORT = 26_379;
const ADDRESS =
  /^sentinel:\/\/(?:(?<login>[^@/]*)@)?(?<hosts>[^@/]+)\/(?<name>[\w.-]+)(?:\/(?<db>\d+))?$/;
const HOST = /^(?<host>\[[\da-f:]+\]|[\w.-]+)(?::(?<port>\d{1,5}))?$/i;

/**
 * Deadline for the answer of a sentinel, and the waits after all sentinels were tried. Sentinels are tried one after
 * another. If one of three sentinels is unreachable, every third attempt ends only at the deadline. Until then, the
 * service has no primary.
 */
const SENTINEL_TIMEOUT_MS = 250;
const SENTINEL_RETRY = { stepMs: 50, mostMs: 500 };

/**
 * Longest wait for a reply. If commands are waiting and no reply arrives in this time, the network has failed, and the
 * connection is closed. The kernel would only notice the failure after a quarter of an hour. The wait must be longer
 * than 10 s, because commands of a queue may block for 10 s.
 */
const SOCKET_TIMEOUT_MS = 15_000;

/**
 * Opens a Redis client. The address is `redis://…`, `rediss://…`, the path of a unix socket, or
 * `sentinel://user:password@host:26379,host,host/name`. With sentinels, `name` is the name of the primary.
 */
export function openRedisClient(address: string, options: ClientOptions = {}): Redis {
  const setup = parseSentinels(address);
  if (!setup) return new Redis(address, { socketTimeout: SOCKET_TIMEOUT_MS, ...options });
  // ioredis's own detection of failovers stays off: a failover during a reconnect would end the client permanently.
  const merged: ClientOptions = Object.assign(sentinelOptions(setup), options);
  return new Redis(merged);
}

/** Returns the connection options of an address, for a library that creates its own clients. */
export function redisOptions(
  address: string,
): { url: string; socketTimeout: number } | SentinelOptions {
  const setup = parseSentinels(address);
  return setup ? sentinelOptions(setup) : { url: address, socketTimeout: SOCKET_TIMEOUT_MS };
}

/** Whether the address is a complete sentinel address. */
export function isSentinelAddress(address: string): boolean {
  return parseSentinels(address) !== undefined;
}

/** Formats an address for messages, without user and password. */
export function formatAddress(address: string): string {
  const setup = parseSentinels(address);
  if (setup) return setup.sentinels.map(({ host, port }) => `${host}:${port}`).join(', ');
  return address.startsWith('/') ? address : new URL(address).host;
}

function parseSentinels(address: string): Sentinels | undefined {
  const { login = '', hosts = '', name, db } = ADDRESS.exec(address)?.groups ?? {};
  const hostMatches = hosts.split(',').map((text) => HOST.exec(text)?.groups);
  if (name === undefined || hostMatches.includes(undefined)) return undefined;
  const [username = '', ...passwordParts] = login.split(':').map(decodeURIComponent);
  const password = passwordParts.join(':');
  return {
    sentinels: hostMatches.map((groups) => ({
      host: (groups?.['host'] ?? '').replaceAll(/[[\]]/g, ''),
      port: Number(groups?.['port'] ?? SENTINEL_PORT),
    })),
    name,
    ...(username !== '' && { username }),
    ...(password !== '' && { password }),
    ...(db !== undefined && { db: Number(db) }),
  };
}

type SentinelOptions = ReturnType<typeof sentinelOptions>;

function sentinelOptions(setup: Sentinels) {
  return {
    ...setup,
    socketTimeout: SOCKET_TIMEOUT_MS,
    sentinelCommandTimeout: SENTINEL_TIMEOUT_MS,
    sentinelRetryStrategy: (attempt: number) =>
      Math.min(SENTINEL_RETRY.stepMs * attempt, SENTINEL_RETRY.mostMs),
    reconnectOnError: ({ message }: Error) => message.startsWith('READONLY'),
  };
}
