import { resolve } from 'node:path';
import { z } from 'zod';
import { ConfigError } from './errors.ts';

/** Longest path of a unix socket the kernel takes, in bytes. */
const SOCKET_PATH_MAX = 107;
/** Far beyond the cores of any machine this is for; a typing mistake must not start thousands. */
const WORKERS_MAX = 64;

// Problems never repeat the value of REDIS_URL: it may hold a password.
const settings = z.object({
  PORT: z
    .string()
    .default('8080')
    .refine((port) => /^\d{1,5}$/.test(port) && Number(port) <= 65_535, {
      error: ({ input }) => `"${String(input)}" is not a port (0 to 65535)`,
    })
    .transform(Number),
  HOST: z
    .string()
    .default('127.0.0.1')
    .refine((host) => !/\s/.test(host), { error: 'must be one host name or address' }),
  API_WORKERS: z
    .string()
    .default('1')
    .refine(
      (count) => /^\d{1,2}$/.test(count) && Number(count) >= 1 && Number(count) <= WORKERS_MAX,
      {
        error: ({ input }) =>
          `"${String(input)}" is not a number of processes (1 to ${WORKERS_MAX})`,
      },
    )
    .transform(Number),
  REDIS_URL: z
    .string({
      error: 'is missing; give redis://host:port or the absolute path of a unix socket',
    })
    .refine(isRedisPlace, {
      error: `must be redis://host:port or the absolute path of a unix socket of at most ${SOCKET_PATH_MAX} bytes`,
    }),
  DATA_DIR: z
    .string()
    .default('./data')
    .transform((folder) => resolve(folder)),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
      error: ({ input }) =>
        `"${String(input)}" is not one of trace, debug, info, warn, error, fatal, silent`,
    })
    .default('info'),
  EXPLAIN_ENABLED: z
    .enum(['0', '1'], { error: ({ input }) => `"${String(input)}" is neither 0 nor 1` })
    .default('0')
    .transform((flag) => flag === '1'),
});

/** Environment variables the API reads. */
export const ENV_NAMES: readonly string[] = Object.keys(settings.shape);

export type Config = Readonly<{
  port: number;
  host: string;
  /** Processes that answer, all on the one port. */
  workers: number;
  /** `redis://…`, `rediss://…` or the absolute path of a unix socket. */
  redisUrl: string;
  /** Absolute. */
  dataDir: string;
  logLevel: z.infer<typeof settings>['LOG_LEVEL'];
  /** Whether `/api/explain` answers. */
  explains: boolean;
}>;

/**
 * The settings of the API, frozen; an empty variable counts as unset.
 * Throws `ConfigError` naming every problem at once.
 */
export function readConfig(env: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(ENV_NAMES.map((name) => [name, env[name] || undefined]));
  const read = settings.safeParse(given);
  if (!read.success) {
    const problems = read.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`);
    throw new ConfigError(`Bad settings: ${problems.join('; ')}`);
  }
  const { PORT, HOST, API_WORKERS, REDIS_URL, DATA_DIR, LOG_LEVEL, EXPLAIN_ENABLED } = read.data;
  return Object.freeze({
    port: PORT,
    host: HOST,
    workers: API_WORKERS,
    redisUrl: REDIS_URL,
    dataDir: DATA_DIR,
    logLevel: LOG_LEVEL,
    explains: EXPLAIN_ENABLED,
  });
}

function isRedisPlace(place: string): boolean {
  if (place.startsWith('/')) {
    return Buffer.byteLength(place) <= SOCKET_PATH_MAX;
  }
  const url = URL.parse(place);
  return url !== null && ['redis:', 'rediss:'].includes(url.protocol) && url.hostname !== '';
}
