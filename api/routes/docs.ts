import { Router } from '@koa/router';
import { dateAt } from '../../warehouse/ground/dates.ts';
import type { ApiState } from '../context.ts';
import type { ApiDeps } from '../deps.ts';
import { openApiDocument } from '../openapi/document.ts';
import { llmsText } from '../openapi/llms.ts';
import {
  allowReading,
  FOR_ANY_SITE,
  publicDocument,
  sendDocument,
  type PublicDocument,
} from './public-document.ts';

/**
 * `GET /openapi.json` and `GET /llms.txt`: public descriptions of the interface. The page `/docs` belongs to the web
 * pages.
 */
export function docsRoutes({
  isExplainEnabled,
  now,
}: Pick<ApiDeps, 'isExplainEnabled' | 'now'>): Router<ApiState> {
  const router = new Router<ApiState>();
  let latest: { today: string; description: PublicDocument } | undefined;
  router.register('/openapi.json', ['GET', 'OPTIONS'], (ctx) => {
    if (ctx.method === 'OPTIONS') return allowReading(ctx);
    const today = dateAt(now());
    if (latest?.today !== today) {
      const text = JSON.stringify(openApiDocument({ isExplainEnabled, today }));
      latest = { today, description: publicDocument('application/json', text) };
    }
    return sendDocument(ctx, latest.description, FOR_ANY_SITE);
  });
  const guide = publicDocument('text/plain', llmsText());
  router.get('/llms.txt', (ctx) => sendDocument(ctx, guide, FOR_ANY_SITE));
  return router;
}
