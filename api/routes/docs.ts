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

/** A browser need not ask again for five minutes, as it changes with the service; pages of any site may read it. */
const FOR_ANY_SITE = {
  'Cache-Control': 'public, max-age=300',
  'Access-Control-Allow-Origin': '*',
};

/** `GET /openapi.json`: the interface for programs; public. `/docs` is a page of the explorer. */
export function docsRoutes({ explains }: Pick<ApiDeps, 'explains'>): Router<ApiState> {
  const router = new Router<ApiState>();
  let description: PublicDocument | undefined;
  router.register('/openapi.json', ['GET', 'OPTIONS'], (ctx) => {
    if (ctx.method === 'OPTIONS') return allowReading(ctx);
    description ??= publicDocument(
      'application/json',
      JSON.stringify(openApiDocument({ explains })),
    );
    return sendDocument(ctx, description, FOR_ANY_SITE);
  });
  return router;
}
