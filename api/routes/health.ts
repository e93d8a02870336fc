import { Router } from '@koa/router';
import type { ApiState } from '../context.ts';
import type { ApiDeps } from '../deps.ts';
import { RETRY_AFTER_S } from '../errors.ts';
import { historyState } from '../../warehouse/store/history-state.ts';
import { healthStateOf, type ConditionName } from '../../warehouse/live/conditions.ts';
import type { ScoreStore } from '../../warehouse/store/types.ts';
import type { HealthBody } from '../schemas/health.ts';
import { setIgnoredParams } from '../schemas/params.ts';

/**
 * `GET /api/health`: 200 while calls with a key can be answered, otherwise 503. Needs no key. A problem that workers
 * found degrades the health. The answer stays 200, because a load balancer must not drop an API that answers.
 */
export function healthRoutes(deps: ApiDeps): Router<ApiState> {
  return new Router<ApiState>().get('/api/health', async (ctx) => {
    // A probe is never refused because of its parameters.
    setIgnoredParams(ctx.res, Object.keys(ctx.query));
    const body = await healthAnswer(deps);
    const isUp = body.components.database === 'ok';
    ctx.status = isUp ? 200 : 503;
    if (!isUp) ctx.set('Retry-After', String(RETRY_AFTER_S));
    ctx.body = body;
  });
}

/** Returns the current state of the parts of the service. */
export async function healthAnswer({
  stores,
  keys,
  models,
  newsAt,
  conditions,
  now,
}: Pick<
  ApiDeps,
  'stores' | 'keys' | 'models' | 'newsAt' | 'conditions' | 'now'
>): Promise<HealthBody> {
  const isRedisUp = await keys.ping().then(
    () => true,
    () => false,
  );
  const store = stores.current();
  const hasDatabase = isRedisUp && store !== undefined;
  const hasModel = store !== undefined && models.modelFor(store) !== undefined;
  const news = { fetched_at: newsAt() ?? null };
  return {
    ...healthOf({ hasDatabase, hasModel, store, conditions: conditions?.() ?? [] }, now()),
    news,
  };
}

type Facts = {
  hasDatabase: boolean;
  hasModel: boolean;
  store: ScoreStore | undefined;
  /** Conditions that workers found. */
  conditions: readonly ConditionName[];
};

function healthOf(
  { hasDatabase, hasModel, store, conditions }: Facts,
  time: Date,
): Omit<HealthBody, 'news'> {
  const flights = store?.manifest.months.at(-1);
  const levels = store?.manifest.lastLevelMonth;
  const ageState = historyState({ flights, levels }, time);
  const isBehind = ageState === 'ok' && conditions.includes('data.stale');
  const history = store === undefined ? 'unavailable' : isBehind ? 'behind' : ageState;
  const keys = conditions.includes('keys.lost') ? 'lost' : 'ok';
  const state = healthStateOf(conditions.map((kind) => ({ kind })));
  const operations = state === 'well' ? 'ok' : state;
  const isWell = hasModel && history === 'ok' && operations === 'ok';
  const quality = isWell ? 'ok' : 'degraded';
  return {
    status: hasDatabase ? quality : 'error',
    time: time.toISOString(),
    components: {
      api: 'ok',
      database: hasDatabase ? 'ok' : 'unavailable',
      keys,
      ml_model: hasModel ? 'ok' : 'unavailable',
      history,
      operations,
    },
    history: { flights_until: flights ?? null, levels_until: levels ?? null },
  };
}
