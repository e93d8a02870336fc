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
}>;

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

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
});

/** The settings of the jobs, frozen; an empty variable counts as unset. All problems come in one error. */
export function readConfig(env: Env, cwd: string = process.cwd()): JobsConfig {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const parsed = settings.safeParse(given);
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => issue.message);
    throw new CommandError(`Bad settings: ${problems.join('; ')}`);
  }
  const { DATA_DIR, REDIS_URL, PORT, HOST, LOG_LEVEL } = parsed.data;
  return Object.freeze({
    dataDir: resolve(cwd, DATA_DIR),
    redisUrl: REDIS_URL,
    port: PORT,
    host: HOST,
    logLevel: LOG_LEVEL,
  });
}

function isPort(text: string): boolean {
  const port = Number(text);
  return /^\d+$/.test(text) && port >= 1 && port <= 65_535;
}

function isRedisUrl(text: string): boolean {
  return text.startsWith('/') || (/^rediss?:\/\//i.test(text) && URL.canParse(text));
}
