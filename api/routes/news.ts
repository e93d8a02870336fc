import { Router } from '@koa/router';
import type { ApiState } from '../context.ts';
import { currentStore } from '../scoring/current-store.ts';
import type { ApiDeps } from '../deps.ts';
import { resolveRoute, type KnownRoute } from '../scoring/flight-query.ts';
import { keyedEndpoint } from '../middleware/keyed-endpoint.ts';
import { NEWS_CACHE_TTL_HOURS, newsParams, type NewsBody } from '../schemas/news.ts';
import { readCallParams } from '../schemas/params.ts';
import type { RouteNews } from '../live/news-types.ts';

type NewsQuery = { route: KnownRoute; isFresh: boolean };

/** `GET /api/news`: events that may disrupt flights on a route. */
export function newsRoutes(deps: ApiDeps): Router<ApiState> {
  const endpoint = keyedEndpoint<NewsQuery>(
    {
      usageLabel: '/api/news',
      isCacheable: true,
      isCompressible: true,
      parse: (ctx) => {
        const params = readCallParams(ctx, newsParams);
        return { route: resolveRoute(params, currentStore(deps.stores)), isFresh: params.refresh };
      },
      cost: () => 1,
      answer: async ({ route, isFresh }, { state }): Promise<NewsBody> => {
        const news = await deps.news(route, isFresh, state);
        if (news.isFailed) state.isUncharged = true;
        return newsBodyOf(route, news);
      },
    },
    deps,
  );
  return new Router<ApiState>().get('/api/news', endpoint);
}

function newsBodyOf({ origin, dest }: KnownRoute, news: RouteNews): NewsBody {
  const { items, fetchedAt, isCached } = news;
  return {
    origin: origin.iata,
    dest: dest.iata,
    news: items,
    meta: {
      count: items.length,
      cached: isCached,
      fetched_at: fetchedAt?.toISOString() ?? null,
      cache_ttl_hours: NEWS_CACHE_TTL_HOURS,
    },
  };
}
