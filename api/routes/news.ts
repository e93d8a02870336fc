import { Router } from '@koa/router';
import type { ApiState } from '../context.ts';
import { currentStore } from '../scoring/current-store.ts';
import type { ApiDeps } from '../deps.ts';
import { resolveRoute, type KnownRoute } from '../scoring/flight-query.ts';
import { keyedEndpoint } from '../middleware/keyed-endpoint.ts';
import { NEWS_CACHE_TTL_HOURS, newsParams, type NewsBody } from '../schemas/news.ts';
import { readCallParams } from '../schemas/params.ts';

type NewsQuery = { route: KnownRoute; isFresh: boolean };

/** `GET /api/news`: events that may disrupt flights on a route. */
export function newsRoutes(deps: ApiDeps): Router<ApiState> {
  const endpoint = keyedEndpoint<NewsQuery>(
    {
      usageLabel: '/api/news',
      isLong: true,
      parse: (ctx) => {
        const params = readCallParams(ctx, newsParams);
        return { route: resolveRoute(params, currentStore(deps.stores)), isFresh: params.refresh };
      },
      cost: () => 1,
      answer: async ({ route, isFresh }, { state }): Promise<NewsBody> => {
        const { requestId } = state;
        const { items, fetchedAt, isCached } = await deps.news(route, isFresh, requestId);
        return {
          origin: route.origin.iata,
          dest: route.dest.iata,
          news: items,
          meta: {
            count: items.length,
            cached: isCached,
            fetched_at: fetchedAt.toISOString(),
            cache_ttl_hours: NEWS_CACHE_TTL_HOURS,
          },
        };
      },
    },
    deps,
  );
  return new Router<ApiState>().get('/api/news', endpoint);
}
