import { resolve } from 'node:path';
import { z } from 'zod';
import { CommandError } from './errors.ts';

/** Environment variables, as `process.env` has them. */
export type Env = Record<string, string | undefined>;

export type JobsConfig = Readonly<{
  /** Absolute. */
  dataDir: string;
  /** A redis:// or rediss:// address or a unix socket; `undefined`: a Redis of our own in the data folder. */
  redisUrl: string | undefined;
  /** Where `run` has the API listen. */
  port: number;
  host: string;
  logLevel: (typeof LOG_LEVELS)[number];
  /** Where a back-fill downloads months from, unless it is told a SOURCE. */
  btsBaseUrl: string;
  /** No outbound call is ever made. */
  offline: boolean;
}>;

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** BTS's own folder of monthly files. */
const BTS_PREZIP = 'https://transtats.bts.gov/PREZIP';

const settings = z.object({
  DATA_DIR: z.string().default('./data'),
  // The value is never repeated in a message: it may hold a password.
  REDIS_URL: z
    .string()
    .refine(isRedisUrl, 'REDIS_URL is not a redis:// or rediss:// address or an absolute path')
    .optional(),
  PORT: z
    .string()
    .default('8080')
    .refine(isPort, { error: ({ input }) => `PORT "${input}" is not a port (1 to 65535)` })
    .transform(Number),
  HOST: z
    .string()
    .default('127.0.0.1')
    .refine((host) => /^[\w.:-]+$/.test(host), {
      error: ({ input }) => `HOST "${input}" is not a host name or address`,
    }),
  LOG_LEVEL: z
    .enum(LOG_LEVELS, {
      error: ({ input }) => `LOG_LEVEL "${input}" is not one of ${LOG_LEVELS.join(', ')}`,
    })
    .default('info'),
  BTS_BASE_URL: z
    .string()
    .default(BTS_PREZIP)
    .refine(isBaseUrl, 'BTS_BASE_URL is not a plain http:// or https:// address'),
  OFFLINE: z
    .string()
    .default('0')
    .refine((flag) => flag === '0' || flag === '1', {
      error: ({ input }) => `OFFLINE "${input}" is neither 0 nor 1`,
    })
    .transform((flag) => flag === '1'),
});

/** The names of all settings; each stands in docs/operations.md. */
export const ENV_NAMES: readonly string[] = Object.keys(settings.shape);

/** The settings of the jobs, frozen; an empty variable counts as unset. All problems come in one error. */
export function readConfig(env: Env, cwd: string = process.cwd()): JobsConfig {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const parsed = settings.safeParse(given);
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => issue.message);
    throw new CommandError(`Bad settings: ${problems.join('; ')}`);
  }
  const { DATA_DIR, REDIS_URL, PORT, HOST, LOG_LEVEL, BTS_BASE_URL, OFFLINE } = parsed.data;
  return Object.freeze({
    dataDir: resolve(cwd, DATA_DIR),
    redisUrl: REDIS_URL,
    port: PORT,
    host: HOST,
    logLevel: LOG_LEVEL,
    btsBaseUrl: BTS_BASE_URL,
    offline: OFFLINE,
  });
}

/** An address file names can be put behind. One with a password would end up in jobs and messages. */
export function isBaseUrl(text: string): boolean {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return false;
  const { username, password, search, hash } = new URL(text);
  return username === '' && password === '' && search === '' && hash === '';
}

function isPort(text: string): boolean {
  const port = Number(text);
  return /^\d+$/.test(text) && port >= 1 && port <= 65_535;
}

function isRedisUrl(text: string): boolean {
  return text.startsWith('/') || (/^rediss?:\/\//i.test(text) && URL.canParse(text));
}
