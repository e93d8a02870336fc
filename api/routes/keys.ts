import { Router } from '@koa/router';
import type { Context } from 'koa';
import type { ApiState } from '../context.ts';
import type { ApiDeps } from '../deps.ts';
import type { NewKey } from '../keys/keystore.ts';
import { keyed, readApiKey } from '../middleware/keyed.ts';
import { refuseForeignPage } from '../middleware/foreign-page.ts';
import { createKeyParams, type CreateKeyBody } from '../schemas/keys.ts';
import { readParams } from '../schemas/params.ts';

/** `GET /api/keys/create`: makes a production key; for holders of an admin key. */
export function keysRoutes(deps: ApiDeps): Router<ApiState> {
  const create = keyed<NewKey>(
    {
      readKey: readAdminKey,
      isAdminOnly: true,
      refuse: refuseForeignPage,
      parse: (ctx) => {
        const { name, email, monthly_limit } = readParams(ctx.query, createKeyParams);
        return { name, email, monthlyLimit: monthly_limit };
      },
      cost: () => 0,
      answer: async (key): Promise<CreateKeyBody> => {
        const { apiKey, prefix, monthlyLimit } = await deps.keys.create(key, 'live', deps.now());
        return {
          api_key: apiKey,
          prefix,
          monthly_limit: monthlyLimit,
          message: 'Save this key now: it is not stored and cannot be shown again.',
        };
      },
    },
    deps,
  );
  const router = new Router<ApiState>().get('/api/keys/create', create);
  withoutHead(router);
  return router;
}

/** The admin key may come in a header, which proxies and histories do not record as they do addresses. */
function readAdminKey(ctx: Context): string {
  return ctx.get('X-Admin-Key') || readApiKey(ctx);
}

/** The router answers HEAD wherever it answers GET; a HEAD that makes a key nobody sees is refused instead. */
function withoutHead(router: Router<ApiState>): void {
  for (const layer of router.stack) {
    layer.methods = layer.methods.filter((method) => method !== 'HEAD');
  }
}
