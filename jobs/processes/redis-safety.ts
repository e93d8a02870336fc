import type { Redis } from 'ioredis';
import type { JobsConfig } from '../config.ts';
import { CommandError } from '../errors.ts';
import { placeOf } from '../../warehouse/ground/redis-address.ts';
import { connectOnce } from './redis-client.ts';

/** How a Redis is set up, as far as it decides what a loss of it or of its memory costs. */
export type RedisSetup = {
  version: string;
  isAppending: boolean;
  /** How appended writes reach the disk; undefined where the server does not tell. */
  sync: string | undefined;
  policy: string;
  /** In bytes; 0 is no limit. */
  limit: number;
  used: number;
  /** Whether the last write of the append-only file went well. */
  isWriting: boolean;
};

/** Something of the setup that loses keys, counts or work, and what helps. */
export type RedisRisk = { isRefused: boolean; what: string; help: string };

/** Asks the server; what it does not tell is taken for the usual. */
export async function redisSetup(redis: Redis): Promise<RedisSetup> {
  const info = new Map(
    (await redis.info())
      .split(/\r?\n/)
      .map((line): [string, string] => {
        const at = line.indexOf(':');
        return [line.slice(0, at), line.slice(at + 1)];
      })
      .filter(([name]) => name !== ''),
  );
  // Services that run Redis for others tend to forbid it.
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

/** What of that setup would lose something: first what no service should start on. */
export function risksOf({ isAppending, sync, policy, limit, isWriting }: RedisSetup): RedisRisk[] {
  const risks: (RedisRisk | undefined)[] = [
    isAppending
      ? undefined
      : {
          isRefused: true,
          what: 'it writes no append-only file, so its end loses keys and counts',
          help: 'appendonly yes',
        },
    limit > 0 && policy !== 'noeviction'
      ? {
          isRefused: true,
          what: `it throws keys, counts and jobs away when its memory is full (${policy})`,
          help: 'maxmemory-policy noeviction',
        }
      : undefined,
    isAppending && sync === 'everysec'
      ? {
          isRefused: false,
          what: 'killed beside a busy disk it loses up to two seconds it had acknowledged (everysec)',
          help: 'appendfsync no, or always against power cuts too',
        }
      : undefined,
    isWriting
      ? undefined
      : {
          isRefused: false,
          what: 'it could not write its file the last time',
          help: 'room on its disk; its log says why',
        },
  ];
  return risks.filter((risk) => risk !== undefined);
}

/**
 * Throws when the Redis of REDIS_URL would lose keys, unless that is told to be no harm; what is only doubtful goes to
 * `warn`. One that is away is not waited for: it may come later.
 */
export async function refuseLossy(
  { redisUrl: url, mayLoseKeys }: Pick<JobsConfig, 'redisUrl' | 'mayLoseKeys'>,
  warn: (text: string) => void,
): Promise<void> {
  if (url === undefined || mayLoseKeys) return;
  const redis = await connectOnce(url, 'headwind-safety').catch(() => undefined);
  if (!redis) return;
  try {
    const setup = await redisSetup(redis).catch(() => undefined);
    if (!setup) return;
    const risks = risksOf(setup);
    const refused = risks.filter(({ isRefused }) => isRefused);
    for (const { what, help } of risks.filter(({ isRefused }) => !isRefused)) {
      warn(`The Redis at ${placeOf(url)}: ${what}. What helps: ${help}\n`);
    }
    if (refused.length === 0) return;
    const why = refused.map(({ what }) => what).join('; ');
    const helps = refused.map(({ help }) => help).join(', ');
    throw new CommandError(
      `The Redis at ${placeOf(url)} (REDIS_URL) is not safe for API keys: ${why}. ` +
        `Set ${helps} there, or REDIS_MAY_LOSE=1 here where losing them is no harm.`,
    );
  } finally {
    redis.disconnect();
  }
}
