import { Redis, type RedisOptions } from 'ioredis';

/** What a client may be told; how it maps replies is its own. */
type ClientOptions = Omit<RedisOptions, 'replyMapping'>;

/** Redis behind sentinels: whom to ask for the primary, and what it is called there. */
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
 * How long a sentinel may take, and how long until all are asked again: longer each time, up to a most. They are asked in turn, so
 * one that was cut off with its primary is asked at every third attempt: what it takes is time without a primary.
 */
const SENTINEL_PATIENCE_MS = 250;
const SENTINEL_RETRY = { stepMs: 50, mostMs: 500 };

/**
 * A connection that hears nothing for so long while commands wait is given up: the network between is gone, and the kernel
 * would go on for a quarter of an hour. More than the 10 s that a command of a queue may block.
 */
const SILENCE_MAX_MS = 15_000;

/**
 * A client of the Redis at that address: `redis://…`, `rediss://…`, the path of a unix socket, or
 * `sentinel://user:password@host:26379,host,host/name`, by which the sentinels say who is the primary.
 */
export function openRedisClient(address: string, options: ClientOptions = {}): Redis {
  const behind = sentinelsOf(address);
  if (!behind) return new Redis(address, { socketTimeout: SILENCE_MAX_MS, ...options });
  // Not with ioredis' own detector of failovers: one that comes while it connects again ends the client for good.
  const all: ClientOptions = Object.assign(sentinelOptions(behind), options);
  return new Redis(all);
}

/** The same for a library that makes its own clients. */
export function redisOptions(
  address: string,
): { url: string; socketTimeout: number } | SentinelOptions {
  const behind = sentinelsOf(address);
  return behind ? sentinelOptions(behind) : { url: address, socketTimeout: SILENCE_MAX_MS };
}

/** Whether it names sentinels, in full. */
export function isSentinelAddress(address: string): boolean {
  return sentinelsOf(address) !== undefined;
}

/** Where an address points, without user and password, for messages. */
export function placeOf(address: string): string {
  const behind = sentinelsOf(address);
  if (behind) return behind.sentinels.map(({ host, port }) => `${host}:${port}`).join(', ');
  return address.startsWith('/') ? address : new URL(address).host;
}

function sentinelsOf(address: string): Sentinels | undefined {
  const { login = '', hosts = '', name, db } = ADDRESS.exec(address)?.groups ?? {};
  const found = hosts.split(',').map((text) => HOST.exec(text)?.groups);
  if (name === undefined || found.includes(undefined)) return undefined;
  const [username = '', ...rest] = login.split(':').map(decodeURIComponent);
  const password = rest.join(':');
  return {
    sentinels: found.map((groups) => ({
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

function sentinelOptions(behind: Sentinels) {
  return {
    ...behind,
    socketTimeout: SILENCE_MAX_MS,
    sentinelCommandTimeout: SENTINEL_PATIENCE_MS,
    sentinelRetryStrategy: (attempt: number) =>
      Math.min(SENTINEL_RETRY.stepMs * attempt, SENTINEL_RETRY.mostMs),
    reconnectOnError: ({ message }: Error) => message.startsWith('READONLY'),
  };
}
