import type { Context } from 'koa';
import { RequestError } from '../errors.ts';

/**
 * Refuses what a browser asks on its own or on behalf of another site. A GET that changes something needs it:
 * a prefetched link or an image tag elsewhere must not make a key.
 */
export function refuseForeignPage(ctx: Context): void {
  const purpose = `${ctx.get('Sec-Purpose')} ${ctx.get('Purpose')} ${ctx.get('X-Purpose')} ${ctx.get('X-Moz')}`;
  if (/prefetch|prerender|preview/i.test(purpose)) {
    throw new RequestError(403, 'forbidden', 'Keys are not created ahead of being asked for.');
  }
  if (ctx.get('Sec-Fetch-Site').toLowerCase() === 'cross-site') {
    throw new RequestError(403, 'forbidden', 'Keys are not created from the pages of other sites.');
  }
}
