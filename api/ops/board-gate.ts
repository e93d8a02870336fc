import type { Middleware } from 'koa';
import { loadOnce } from '../../warehouse/ground/load-once.ts';
import { RequestError } from '../errors.ts';
import type { OpsDeps } from './deps.ts';
import { BOARD_PATH } from './paths.ts';

/** Its scripts and styles are its own; what it would load from elsewhere it does without. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The page of all queues, for visitors who passed the gate. It is loaded with the first request; a failure is tried again. */
export function boardAfterGate({
  operations,
  hasWrites,
}: Pick<OpsDeps, 'operations' | 'hasWrites'>): Middleware {
  const board = loadOnce(async () =>
    (await import('./board.ts')).queueBoard(await operations(), hasWrites),
  );
  return async (ctx, next) => {
    if (ctx.path !== BOARD_PATH && !ctx.path.startsWith(`${BOARD_PATH}/`)) return next();
    const isReading = ctx.method === 'GET' || ctx.method === 'HEAD';
    if (!isReading && !hasWrites) {
      throw new RequestError(
        403,
        'forbidden',
        'This page only shows; OPS_QUEUE_WRITES=1 changes that.',
      );
    }
    // Its script cannot carry our token: only what a browser says came from this very page is taken.
    if (!isReading && ctx.get('Sec-Fetch-Site') !== 'same-origin') {
      throw new RequestError(403, 'forbidden', 'Only the page itself may change the queues.');
    }
    ctx.set('Content-Security-Policy', POLICY);
    return (await board())(ctx, next);
  };
}
