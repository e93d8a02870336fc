import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { ApiMiddleware } from '../context.ts';
import { mayHoldKeyPiece } from '../redact.ts';

/** Ids we take over from the caller, unless a piece of a key may be in them. */
const ACCEPTABLE = /^[0-9A-Za-z-]{8,64}$/;

/** Gives the request an id, the caller's own `X-Request-Id` if it is acceptable, and sends it back. */
export function requestId(): ApiMiddleware {
  return (ctx, next) => {
    ctx.state.requestId = requestIdOf(ctx.req);
    ctx.res.setHeader('X-Request-Id', ctx.state.requestId);
    return next();
  };
}

/** The id a request comes with, where it is acceptable, or a new one. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id'];
  const isOwn = typeof given === 'string' && ACCEPTABLE.test(given) && !mayHoldKeyPiece(given);
  return isOwn ? given : randomUUID();
}
