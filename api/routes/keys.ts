import { Router } from '@koa/router';
import type { Call } from '../call.ts';
import type { ApiMiddleware, ApiState } from '../context.ts';
import type { ApiDeps } from '../deps.ts';
import type { NewKey } from '../../warehouse/keyring/keystore.ts';
import { readApiKey } from '../middleware/api-key.ts';
import { keyedEndpoint } from '../middleware/keyed-endpoint.ts';
import { refuseForeignPage } from '../middleware/foreign-page.ts';
import { usageBodyOf, validateBodyOf } from '../presenters/usage-body.ts';
import {
  createKeyParams,
  usageParams,
  type CreateKeyBody,
  type UsageParams,
} from '../schemas/keys.ts';
import { noParams, readCallParams } from '../schemas/params.ts';

/**
 * `GET /api/keys/validate`, `/api/keys/usage` and, with an admin key, `/api/keys/create`. These calls are not counted.
 */
export function keysRoutes(deps: ApiDeps): Router<ApiState> {
  const create = new Router<ApiState>().get('/api/keys/create', createEndpoint(deps));
  removeHead(create);
  return new Router<ApiState>()
    .get('/api/keys/validate', validateEndpoint(deps))
    .get('/api/keys/usage', usageEndpoint(deps))
    .use(create.routes());
}

function validateEndpoint(deps: ApiDeps): ApiMiddleware {
  return keyedEndpoint<Date>(
    {
      unknownKeyFacts: { valid: false },
      parse: (ctx) => {
        readCallParams(ctx, noParams);
        return deps.now();
      },
      cost: () => 0,
      answer: async (at, ctx) => validateBodyOf(await deps.keys.usage(readApiKey(ctx), at)),
    },
    deps,
  );
}

function usageEndpoint(deps: ApiDeps): ApiMiddleware {
  return keyedEndpoint<UsageParams & { at: Date }>(
    {
      parse: (ctx) => ({ ...readCallParams(ctx, usageParams), at: deps.now() }),
      cost: () => 0,
      answer: async ({ at, ...params }, ctx) =>
        usageBodyOf(await deps.keys.usage(readApiKey(ctx), at), params, at),
    },
    deps,
  );
}

/** Creates the endpoint that creates API keys. */
function createEndpoint(deps: ApiDeps): ApiMiddleware {
  return keyedEndpoint<NewKey>(
    {
      readKey: readAdminKey,
      isAdminOnly: true,
      refuse: refuseForeignPage,
      parse: (ctx) => {
        const { name, email, monthly_limit } = readCallParams(ctx, createKeyParams);
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

/**
 * Reads the admin key from a header or a parameter. A header is safer, because proxy logs and browser histories do not
 * contain headers.
 */
function readAdminKey(call: Call): string {
  return call.get('X-Admin-Key') || readApiKey(call);
}

/** Removes HEAD, which the router adds to every GET route. A HEAD request would create a key without returning it. */
function removeHead(router: Router<ApiState>): void {
  for (const layer of router.stack) {
    layer.methods = layer.methods.filter((method) => method !== 'HEAD');
  }
}
