import { Router } from '@koa/router';
import type { ApiState } from '../context.ts';
import type { ApiDeps } from '../deps.ts';
import { RETRY_AFTER_S } from '../errors.ts';
import { isForecastFresh } from '../../models/day-weather.ts';
import { historyState } from '../../warehouse/store/history-state.ts';
import { healthStateOf, type ConditionName } from '../../warehouse/live/conditions.ts';
import type { ScoreStore } from '../../warehouse/store/types.ts';
import type { HealthBody } from '../schemas/health.ts';
import { NEWS_CACHE_TTL_HOURS } from '../schemas/news.ts';
import { setIgnoredParams } from '../schemas/params.ts';

/**
 * `GET /api/health`: 200 while calls with a key can be answered, otherwise 503. Needs no key. Problems that workers
 * found appear in the body but do not change the status, because a load balancer must not remove an API that works.
 */
export function healthRoutes(deps: ApiDeps): Router<ApiState> {
  return new Router<ApiState>().get('/api/health', async (ctx) => {
    // Unknown parameters are only listed in a header. They must not make a health check fail.
    setIgnoredParams(ctx, Object.keys(ctx.query));
    const body = await healthAnswer(deps);
    const isUp = body.components.database === 'ok';
    ctx.status = isUp ? 200 : 503;
    if (!isUp) ctx.set('Retry-After', String(RETRY_AFTER_S));
    ctx.body = body;
  });
}

/** Returns the current state of each part of the service. */
export async function healthAnswer({
  stores,
  keys,
  models,
  newsAt,
  forecastsAt,
  conditions,
  now,
}: Pick<
  ApiDeps,
  'stores' | 'keys' | 'models' | 'newsAt' | 'forecastsAt' | 'conditions' | 'now'
>): Promise<HealthBody> {
  const isRedisUp = await keys.ping().then(
    () => true,
    () => false,
  );
  const store = stores.current();
  const hasDatabase = isRedisUp && store !== undefined;
  const hasModel = store !== undefined && models.modelFor(store) !== undefined;
  const times = { newsAt: newsAt(), forecastsAt: forecastsAt() };
  const facts = { hasDatabase, hasModel, store, conditions: conditions?.() ?? [], ...times };
  return healthOf(facts, now());
}

type Facts = {
  hasDatabase: boolean;
  hasModel: boolean;
  store: ScoreStore | undefined;
  /** Problems that workers found. */
  conditions: readonly ConditionName[];
  /** Times (ISO) of the last fetches; undefined if nothing was fetched yet. */
  newsAt: string | undefined;
  forecastsAt: string | undefined;
};

function healthOf(
  { hasDatabase, hasModel, store, conditions, newsAt, forecastsAt }: Facts,
  time: Date,
): HealthBody {
  const flights = store?.manifest.months.at(-1);
  const levels = store?.manifest.lastLevelMonth;
  const ageState = historyState({ flights, levels }, time);
  const isBehind = ageState === 'ok' && conditions.includes('data.stale');
  const history = store === undefined ? 'unavailable' : isBehind ? 'behind' : ageState;
  const keys = conditions.includes('keys.lost') ? 'lost' : 'ok';
  const state = healthStateOf(conditions.map((kind) => ({ kind })));
  const operations = state === 'well' ? 'ok' : state;
  const weather = sourceState(forecastsAt, isForecastFresh, time);
  const news = sourceState(newsAt, isNewsFresh, time);
  const isWell =
    hasModel && [history, operations, weather, news].every((component) => component === 'ok');
  return {
    status: hasDatabase ? (isWell ? 'ok' : 'degraded') : 'error',
    time: time.toISOString(),
    components: {
      api: 'ok',
      database: hasDatabase ? 'ok' : 'unavailable',
      keys,
      ml_model: hasModel ? 'ok' : 'unavailable',
      weather,
      news,
      history,
      operations,
    },
    history: { flights_until: flights ?? null, levels_until: levels ?? null },
    weather: { fetched_at: forecastsAt ?? null },
    news: { fetched_at: newsAt ?? null },
  };
}

function sourceState(
  fetchedAt: string | undefined,
  isFresh: (fetchedAt: string, now: Date) => boolean,
  now: Date,
): 'ok' | 'old' | 'unavailable' {
  if (fetchedAt === undefined) return 'unavailable';
  return isFresh(fetchedAt, now) ? 'ok' : 'old';
}

function isNewsFresh(fetchedAt: string, now: Date): boolean {
  return now.getTime() - Date.parse(fetchedAt) < NEWS_CACHE_TTL_HOURS * 3_600_000;
}
