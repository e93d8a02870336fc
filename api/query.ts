import type { ParsedUrlQuery } from 'node:querystring';
import type Koa from 'koa';
import { readQuery } from './call.ts';
import type { ApiState } from './context.ts';

type WithQuery = Koa.Request & { [QUERY]?: ParsedUrlQuery };

const QUERY = Symbol('query');

/**
 * Replaces Koa's `request.query` by a query that is parsed once, on first access. Koa's parser goes through all
 * parameters again for each parameter, and stores the query string as a property name, although the query string may
 * contain a key.
 */
export function readQueriesOnce(app: Pick<Koa<ApiState>, 'request'>): void {
  Object.defineProperty(app.request, 'query', {
    get(this: WithQuery): ParsedUrlQuery {
      return (this[QUERY] ??= readQuery(this.querystring));
    },
  });
}
