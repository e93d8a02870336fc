import type { Layer } from '@koa/router';
import type { ApiMiddleware } from '../context.ts';
import { RequestError } from '../errors.ts';

/** Refuses a request that no route handles: 405 when the path exists for other methods, otherwise 404. */
export function refuseUnmatched(): ApiMiddleware {
  return (ctx) => {
    // The router lists every route with a matching path, regardless of its method.
    const layers = (ctx as { matched?: Layer[] }).matched ?? [];
    const allowed = [...new Set(layers.flatMap((layer) => layer.methods))].toSorted();
    if (allowed.length === 0) {
      throw new RequestError(404, 'not_found', 'There is nothing at this path.');
    }
    throw new RequestError(405, 'method_not_allowed', `Use ${allowed.join(' or ')} here.`, {
      headers: { Allow: allowed.join(', ') },
    });
  };
}
