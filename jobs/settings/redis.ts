import { z } from 'zod';
import { isSentinelAddress } from '../../warehouse/ground/redis-address.ts';
import { flag, isRedisUrl, SOCKET_PATH_MAX } from './kinds.ts';

export type RedisConfig = Readonly<{
  /**
   * A redis://, rediss:// or sentinel:// address, or a Unix socket. If undefined, the Redis in the data folder is used.
   */
  redisUrl: string | undefined;
  /** Redis replicas that must store a key before it is acknowledged. */
  replicas: number;
  /** Whether a Redis that can lose keys is accepted. */
  mayLoseKeys: boolean;
}>;

/** The environment variables of Redis. */
export const REDIS_SETTINGS = {
  // Messages never contain the value: it may contain a password.
  REDIS_URL: z
    .string()
    .refine(
      isRedisUrl,
      `REDIS_URL is not a redis://, rediss:// or sentinel://host,host/name address or an absolute path of at most ${SOCKET_PATH_MAX} bytes`,
    )
    .optional(),
  REDIS_MAY_LOSE: flag('REDIS_MAY_LOSE'),
  REDIS_REPLICAS: z
    .string()
    .refine((text) => /^\d$/.test(text), {
      error: ({ input }) => `REDIS_REPLICAS "${input}" is not a number of replicas (0 to 9)`,
    })
    .transform(Number)
    .optional(),
};

type RedisSettings = {
  REDIS_URL?: string | undefined;
  REDIS_MAY_LOSE: boolean;
  REDIS_REPLICAS?: number | undefined;
};

/**
 * Returns Redis's part of the configuration. With sentinels, one replica must store a key before it is acknowledged.
 */
export function redisOf({ REDIS_URL, REDIS_MAY_LOSE, REDIS_REPLICAS }: RedisSettings): RedisConfig {
  return {
    redisUrl: REDIS_URL,
    mayLoseKeys: REDIS_MAY_LOSE,
    replicas: REDIS_REPLICAS ?? (isSentinelAddress(REDIS_URL ?? '') ? 1 : 0),
  };
}
