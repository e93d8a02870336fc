import { Router } from '@koa/router';
import { dateAt } from '../../warehouse/ground/dates.ts';
import { memoizeFor } from '../../warehouse/ground/load-once.ts';
import type { ScoreStore } from '../../warehouse/store/types.ts';
import type { ApiState } from '../context.ts';
import type { ApiDeps } from '../deps.ts';
import { coverageBodyOf } from '../presenters/coverage-body.ts';
import { coverageParams } from '../schemas/coverage.ts';
import { readCallParams } from '../schemas/params.ts';
import { createAsyncCache } from '../scoring/async-cache.ts';
import { currentStore } from '../scoring/current-store.ts';
import {
  FOR_ANY_SITE,
  publicDocument,
  sendDocument,
  type PublicDocument,
} from './public-document.ts';

/** Maximum total size of the cached answers of a store, in characters. This is enough for a few hundred answers. */
const MAX_CHARS = 2_000_000;

/**
 * Assumed size of a cached entry without its body, in characters. Without this constant, answers about unknown
 * providers would add almost nothing to the total size.
 */
const ENTRY_CHARS = 2_000;

/** `GET /api/coverage`: the flight records behind the scores, for everyone. */
export function coverageRoutes({ stores, now }: Pick<ApiDeps, 'stores' | 'now'>): Router<ApiState> {
  const cacheOf = memoizeFor((_store: ScoreStore) =>
    createAsyncCache<PublicDocument>(MAX_CHARS, ({ body }) => body.length + ENTRY_CHARS),
  );
  return new Router<ApiState>().get('/api/coverage', async (ctx) => {
    const { provider } = readCallParams(ctx, coverageParams);
    const store = currentStore(stores);
    const today = dateAt(now());
    const document = await cacheOf(store)(JSON.stringify([today, provider]), async () => {
      const { records } = coverageBodyOf(store, today);
      const chosen = records.filter((one) => provider === undefined || one.provider === provider);
      return publicDocument('application/json; charset=utf-8', JSON.stringify({ records: chosen }));
    });
    await sendDocument(ctx, document, FOR_ANY_SITE);
  });
}
