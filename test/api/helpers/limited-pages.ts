import type { ExecutionContext } from 'ava';
import { Redis } from 'ioredis';
import type { ApiDeps } from '../../../api/deps.ts';
import { createVisitLimit } from '../../../api/explorer/visit-limit.ts';
import { borrowRedis } from '../../helpers/redis.ts';
import { explorerDeps } from './explorer-world.ts';
import { createPageGet } from './page-get.ts';

/** The pages with real limits. Each request names its visitor. */
export async function limitedPages(t: ExecutionContext, live: Partial<ApiDeps> = {}) {
  const server = await borrowRedis((stop) => t.teardown(stop));
  // Unlike the connection of the API, this client waits as long as needed. A stalled machine then loses no count.
  const redis = new Redis(server.url);
  t.teardown(() => redis.disconnect());
  await redis.ping();
  const limit = createVisitLimit(redis);
  const get = createPageGet({
    ...explorerDeps({ ...limit, isTrustedProxy: () => true }),
    ...live,
  });
  return {
    get: (url: string, visitor: string, headers: Record<string, string> = {}) =>
      get(url, { headers: { ...headers, 'x-forwarded-for': visitor } }),
    flightsOf: async (visitor: string) =>
      Number(await redis.get(`hw:explorer:flights:day:${visitor}`)),
    /** Ends the windows of a minute and of ten minutes, as if a script had waited. */
    endShortWindows: async () => {
      const keys = await redis.keys('hw:explorer:*');
      const short = keys.filter((key) => !key.includes(':day:'));
      if (short.length > 0) await redis.del(...short);
    },
  };
}
