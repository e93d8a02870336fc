import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { ApiMiddleware } from '../context.ts';
import { mayContainKeyFragment } from '../redact.ts';

/** Pattern of request ids that callers may choose. An id that may contain part of a key is refused too. */
const ACCEPTABLE = /^[0-9A-Za-z-]{8,64}$/;

/** Gives each request an id and returns the id in `X-Request-Id`. A caller's own id is used if it is acceptable. */
export function requestId(): ApiMiddleware {
  return (ctx, next) => {
    ctx.state.requestId = readRequestId(ctx.req);
    ctx.res.setHeader('X-Request-Id', ctx.state.requestId);
    return next();
  };
}

/** Returns the caller's id if it is acceptable, otherwise a new id. */
export function readRequestId({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const header = headers['x-request-id'];
  const isOwn =
    typeof header === 'string' && ACCEPTABLE.test(header) && !mayContainKeyFragment(header);
  return isOwn ? header : randomUUID();
}
