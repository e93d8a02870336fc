import type { Redis } from 'ioredis';
import type { JobsConfig } from '../config.ts';
import { CommandError } from '../errors.ts';
import { formatAddress } from '../../warehouse/ground/redis-address.ts';
import { connectOnce } from './redis-client.ts';

/** The settings and state of a Redis that decide whether it can lose data. */
export type RedisSetup = {
  version: string;
  isAppending: boolean;
  /** `appendfsync`: when appended writes are flushed to the disk. Undefined if the server does not report it. */
  sync: string | undefined;
  policy: string;
  /** Memory limit in bytes; 0: no limit. */
  limit: number;
  used: number;
  /** Whether the last write of the append-only file succeeded. */
  isWriting: boolean;
};

/**
 * A setting with which Redis can lose keys, counts or jobs (`what`), and how to fix it (`help`). If `isRefused`, the
 * service does not start.
 */
export type RedisRisk = { isRefused: boolean; what: string; help: string };

/** Reads the setup from the server. Values that the server does not report get Redis's defaults. */
export async function readRedisSetup(redis: Redis): Promise<RedisSetup> {
  const info = new Map(
    (await redis.info())
      .split(/\r?\n/)
      .map((line): [string, string] => {
        const at = line.indexOf(':');
        return [line.slice(0, at), line.slice(at + 1)];
      })
      .filter(([name]) => name !== ''),
  );
  // Hosted Redis services often forbid the command CONFIG.
  const [, sync] = await redis.config('GET', 'appendfsync').catch(() => []);
  return {
    version: info.get('redis_version') ?? 'unknown',
    isAppending: info.get('aof_enabled') === '1',
    sync,
    policy: info.get('maxmemory_policy') ?? 'noeviction',
    limit: Number(info.get('maxmemory') ?? 0),
    used: Number(info.get('used_memory') ?? 0),
    isWriting: (info.get('aof_last_write_status') ?? 'ok') === 'ok',
  };
}

/** Returns the risks of a setup; risks that stop the service from starting come first. */
export function risksOf({ isAppending, sync, policy, limit, isWriting }: RedisSetup): RedisRisk[] {
  const risks: (RedisRisk | undefined)[] = [
    isAppending
      ? undefined
      : {
          isRefused: true,
          what: 'it writes no append-only file, so keys and counts are lost when it ends',
          help: 'appendonly yes',
        },
    limit > 0 && policy !== 'noeviction'
      ? {
          isRefused: true,
          what: `it deletes keys, counts and jobs when its memory is full (${policy})`,
          help: 'maxmemory-policy noeviction',
        }
      : undefined,
    isAppending && sync === 'everysec'
      ? {
          isRefused: false,
          what: 'if it is killed while the disk is busy, up to two seconds of acknowledged writes are lost (everysec)',
          help: 'appendfsync no, or appendfsync always to survive power cuts too',
        }
      : undefined,
    isWriting
      ? undefined
      : {
          isRefused: false,
          what: 'the last write of its append-only file failed',
          help: 'free disk space, and read its log',
        },
  ];
  return risks.filter((risk) => risk !== undefined);
}

/**
 * Throws if the Redis of REDIS_URL can lose keys, unless REDIS_MAY_LOSE allows it. Lesser risks go to `warn`. Does
 * not wait for an unreachable Redis, which may start later.
 */
export async function refuseUnsafeRedis(
  { redisUrl: url, mayLoseKeys }: Pick<JobsConfig, 'redisUrl' | 'mayLoseKeys'>,
  warn: (text: string) => void,
): Promise<void> {
  if (url === undefined || mayLoseKeys) return;
  const redis = await connectOnce(url, 'headwind-safety').catch(() => undefined);
  if (!redis) return;
  try {
    const setup = await readRedisSetup(redis).catch(() => undefined);
    if (!setup) return;
    const risks = risksOf(setup);
    const refusedRisks = risks.filter(({ isRefused }) => isRefused);
    for (const { what, help } of risks.filter(({ isRefused }) => !isRefused)) {
      warn(`The Redis at ${formatAddress(url)}: ${what}. To fix this: ${help}\n`);
    }
    if (refusedRisks.length === 0) return;
    const why = refusedRisks.map(({ what }) => what).join('; ');
    const fixes = refusedRisks.map(({ help }) => help).join(', ');
    throw new CommandError(
      `The Redis at ${formatAddress(url)} (REDIS_URL) is not safe for API keys: ${why}. ` +
        `Set ${fixes} in the configuration of Redis. If losing keys is acceptable, set REDIS_MAY_LOSE=1 for Headwind instead.`,
    );
  } finally {
    redis.disconnect();
  }
}
