import type { Layer } from '@koa/router';
import type { ApiMiddleware } from '../context.ts';
import { RequestError } from '../errors.ts';

/** Runs when no route took the request: 405 when the path exists for other methods, else 404. */
export function unmatched(): ApiMiddleware {
  return (ctx) => {
    // Set by the router: every route whose path fits, whatever its method.
    const fitting = (ctx as { matched?: Layer[] }).matched ?? [];
    const allowed = [...new Set(fitting.flatMap((layer) => layer.methods))].toSorted();
    if (allowed.length === 0) {
      throw new RequestError(404, 'not_found', 'There is nothing at this path.');
    }
    throw new RequestError(405, 'method_not_allowed', `Use ${allowed.join(' or ')} here.`, {
      headers: { Allow: allowed.join(', ') },
    });
  };
}
