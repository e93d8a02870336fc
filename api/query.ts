import type { ParsedUrlQuery } from 'node:querystring';
import type Koa from 'koa';
import { readQuery } from './call.ts';
import type { ApiState } from './context.ts';

type WithQuery = Koa.Request & { [QUERY]?: ParsedUrlQuery };

const QUERY = Symbol('query');

/**
 * Gives requests a `query` that is read once, when first asked for. Koa's own goes over all parameters again for each of
 * them, and keeps the text, which may hold a key, as the name of a property.
 */
export function readQueriesOnce(app: Pick<Koa<ApiState>, 'request'>): void {
  Object.defineProperty(app.request, 'query', {
    get(this: WithQuery): ParsedUrlQuery {
      return (this[QUERY] ??= readQuery(this.querystring));
    },
  });
}
