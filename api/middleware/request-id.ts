import { randomUUID } from 'node:crypto';
import type { ApiMiddleware } from '../context.ts';
import { mayHoldKeyPiece } from '../redact.ts';

/** Ids we take over from the caller, unless a piece of a key may be in them. */
const ACCEPTABLE = /^[0-9A-Za-z-]{8,64}$/;

/** Gives the request an id, the caller's own `X-Request-Id` if it is acceptable, and sends it back. */
export function requestId(): ApiMiddleware {
  return (ctx, next) => {
    const given = ctx.req.headers['x-request-id'];
    ctx.state.requestId =
      typeof given === 'string' && ACCEPTABLE.test(given) && !mayHoldKeyPiece(given)
        ? given
        : randomUUID();
    ctx.res.setHeader('X-Request-Id', ctx.state.requestId);
    return next();
  };
}
