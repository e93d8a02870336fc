import type { Middleware } from 'koa';
import { loadOnce } from '../../warehouse/ground/load-once.ts';
import { RequestError } from '../errors.ts';
import type { OpsDeps } from './deps.ts';
import { BOARD_PATH } from './paths.ts';

/** Allows only the board's own scripts and styles. The board also works without the files from other hosts. */
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

/**
 * Serves the page of all queues to logged-in visitors. The page's code is loaded on the first request. If loading
 * fails, the next request tries again.
 */
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
        'This page is read-only. Set OPS_QUEUE_WRITES=1 to allow changes.',
      );
    }
    // The board's script cannot send our form token. Instead, the browser must confirm that the request comes from our
    // own pages.
    if (!isReading && ctx.get('Sec-Fetch-Site') !== 'same-origin') {
      throw new RequestError(
        403,
        'forbidden',
        `Queues can be changed only on the page ${BOARD_PATH}.`,
      );
    }
    ctx.set('Content-Security-Policy', POLICY);
    return (await board())(ctx, next);
  };
}
