import { Router } from '@koa/router';
import type { Call } from '../call.ts';
import type { ApiMiddleware, ApiState } from '../context.ts';
import type { ApiDeps } from '../deps.ts';
import type { NewKey } from '../../warehouse/keyring/keystore.ts';
import { keyed, readApiKey } from '../middleware/keyed.ts';
import { refuseForeignPage } from '../middleware/foreign-page.ts';
import { usageBodyOf, validateBodyOf } from '../presenters/usage-body.ts';
import {
  createKeyParams,
  usageParams,
  type CreateKeyBody,
  type UsageParams,
} from '../schemas/keys.ts';
import { readParams } from '../schemas/params.ts';

/** `GET /api/keys/validate`, `/usage` and, for holders of an admin key, `/create`. None of them counts. */
export function keysRoutes(deps: ApiDeps): Router<ApiState> {
  const create = new Router<ApiState>().get('/api/keys/create', createEndpoint(deps));
  withoutHead(create);
  return new Router<ApiState>()
    .get('/api/keys/validate', validateEndpoint(deps))
    .get('/api/keys/usage', usageEndpoint(deps))
    .use(create.routes());
}

function validateEndpoint(deps: ApiDeps): ApiMiddleware {
  return keyed<Date>(
    {
      unknownKeyFacts: { valid: false },
      parse: () => deps.now(),
      cost: () => 0,
      answer: async (at, ctx) => validateBodyOf(await deps.keys.usage(readApiKey(ctx), at)),
    },
    deps,
  );
}

function usageEndpoint(deps: ApiDeps): ApiMiddleware {
  return keyed<UsageParams & { at: Date }>(
    {
      parse: (ctx) => ({ ...readParams(ctx.query, usageParams), at: deps.now() }),
      cost: () => 0,
      answer: async ({ at, ...asked }, ctx) =>
        usageBodyOf(await deps.keys.usage(readApiKey(ctx), at), asked, at),
    },
    deps,
  );
}

/** Makes a production key. */
function createEndpoint(deps: ApiDeps): ApiMiddleware {
  return keyed<NewKey>(
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
}

/** The admin key may come in a header, which proxies and histories do not record as they do addresses. */
function readAdminKey(call: Call): string {
  return call.get('X-Admin-Key') || readApiKey(call);
}

/** The router answers HEAD wherever it answers GET; a HEAD that makes a key nobody sees is refused instead. */
function withoutHead(router: Router<ApiState>): void {
  for (const layer of router.stack) {
    layer.methods = layer.methods.filter((method) => method !== 'HEAD');
  }
}
