import { Router } from '@koa/router';
import type { ApiState } from '../context.ts';
import type { ApiDeps } from '../deps.ts';
import { openApiDocument } from '../openapi/document.ts';
import {
  allowReading,
  publicDocument,
  sendDocument,
  type PublicDocument,
} from './public-document.ts';

/**
 * Browsers may cache the document for five minutes, because the document does not change while the service runs. Pages
 * of any site may read the document.
 */
const FOR_ANY_SITE = {
  'Cache-Control': 'public, max-age=300',
  'Access-Control-Allow-Origin': '*',
};

/** `GET /openapi.json`: the OpenAPI description; public. `/docs` is a page of the explorer. */
export function docsRoutes({
  isExplainEnabled,
}: Pick<ApiDeps, 'isExplainEnabled'>): Router<ApiState> {
  const router = new Router<ApiState>();
  let description: PublicDocument | undefined;
  router.register('/openapi.json', ['GET', 'OPTIONS'], (ctx) => {
    if (ctx.method === 'OPTIONS') return allowReading(ctx);
    description ??= publicDocument(
      'application/json',
      JSON.stringify(openApiDocument({ isExplainEnabled })),
    );
    return sendDocument(ctx, description, FOR_ANY_SITE);
  });
  return router;
}
