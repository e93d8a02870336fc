import { z } from 'zod';
import { isSentinelAddress } from '../../warehouse/ground/redis-address.ts';
import { flag, isRedisUrl, SOCKET_PATH_MAX } from './kinds.ts';

export type RedisConfig = Readonly<{
  /** A redis://, rediss:// or sentinel:// address or a unix socket; `undefined`: a Redis of our own in the data folder. */
  redisUrl: string | undefined;
  /** Replicas of the Redis that must have a key before it is acknowledged. */
  replicas: number;
  /** Whether a Redis that would lose keys is taken all the same. */
  mayLoseKeys: boolean;
}>;

/** The settings of the Redis that is used, as environment variables. */
export const REDIS_SETTINGS = {
  // The value is never repeated in a message: it may hold a password.
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

type Given = {
  REDIS_URL?: string | undefined;
  REDIS_MAY_LOSE: boolean;
  REDIS_REPLICAS?: number | undefined;
};

/** What parsed settings say of Redis. Behind sentinels a key is with the replica before it is acknowledged. */
export function redisOf({ REDIS_URL, REDIS_MAY_LOSE, REDIS_REPLICAS }: Given): RedisConfig {
  return {
    redisUrl: REDIS_URL,
    mayLoseKeys: REDIS_MAY_LOSE,
    replicas: REDIS_REPLICAS ?? (isSentinelAddress(REDIS_URL ?? '') ? 1 : 0),
  };
}
