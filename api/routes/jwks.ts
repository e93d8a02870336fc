import { Router } from '@koa/router';
import type { ApiState } from '../context.ts';
import type { ApiDeps } from '../deps.ts';
import { allowReading, FOR_ANY_SITE, publicDocument, sendDocument } from './public-document.ts';

/** `GET /.well-known/jwks.json`: the public keys for verifying signed answers. */
export function jwksRoutes({ signatures }: Pick<ApiDeps, 'signatures'>): Router<ApiState> {
  const router = new Router<ApiState>();
  router.register('/.well-known/jwks.json', ['GET', 'OPTIONS'], (ctx) => {
    if (ctx.method === 'OPTIONS') return allowReading(ctx);
    const document = publicDocument('application/json', JSON.stringify(signatures.jwks()));
    return sendDocument(ctx, document, FOR_ANY_SITE);
  });
  return router;
}
