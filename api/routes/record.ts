import { Router } from '@koa/router';
import type { ForecastRecord } from '../../warehouse/live/forecast-record.ts';
import { memoizeFor } from '../../warehouse/ground/load-once.ts';
import type { ApiState } from '../context.ts';
import type { ApiDeps } from '../deps.ts';
import { recordBodyOf, recordCsv } from '../presenters/record-body.ts';
import { readCallParams } from '../schemas/params.ts';
import { recordParams } from '../schemas/record.ts';
import { createAsyncCache } from '../scoring/async-cache.ts';
import {
  FOR_ANY_SITE,
  publicDocument,
  sendDocument,
  type PublicDocument,
} from './public-document.ts';

/** Maximum total size of cached answers, in characters. */
const MAX_CHARS = 8_000_000;

/**
 * Assumed size of a cached entry without its body. Without this constant, answers about unknown airlines would add
 * almost nothing to the total size.
 */
const ENTRY_CHARS = 2_000;

/** `GET /api/record`: compares forecasts with actual flights, as JSON or CSV. Needs no key. */
export function recordRoutes({
  forecastRecord,
}: Pick<ApiDeps, 'forecastRecord'>): Router<ApiState> {
  const cacheOf = memoizeFor((_record: ForecastRecord | typeof NOT_PUBLISHED) =>
    createAsyncCache<PublicDocument>(MAX_CHARS, ({ body }) => body.length + ENTRY_CHARS),
  );
  return new Router<ApiState>().get('/api/record', async (ctx) => {
    const { format, ...wanted } = readCallParams(ctx, recordParams);
    const record = forecastRecord();
    const answers = cacheOf(record ?? NOT_PUBLISHED);
    const document = await answers(JSON.stringify({ format, ...wanted }), async () => {
      const body = recordBodyOf(record, wanted);
      return format === 'csv'
        ? publicDocument('text/csv; charset=utf-8', recordCsv(body))
        : publicDocument('application/json; charset=utf-8', JSON.stringify(body));
    });
    if (format === 'csv') ctx.attachment('headwind-record.csv');
    await sendDocument(ctx, document, FOR_ANY_SITE);
  });
}

const NOT_PUBLISHED = {};
