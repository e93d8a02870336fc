import type { Call } from '../call.ts';
import { RequestError } from '../errors.ts';

/**
 * Refuses browser requests that are prefetches or come from a page of another site. Every GET endpoint that changes
 * something needs this check. Otherwise a prefetched link, or an image on another site, could create a key.
 */
export function refuseForeignPage(call: Pick<Call, 'get'>): void {
  if (isPrefetch(call)) {
    throw new RequestError(
      403,
      'forbidden',
      'This is a browser prefetch, and a prefetch must not change anything. Open the address directly.',
    );
  }
  if (call.get('Sec-Fetch-Site').toLowerCase() === 'cross-site') {
    throw new RequestError(
      403,
      'forbidden',
      'Pages of other sites cannot make changes here. Send this request from your server.',
    );
  }
}

/** Returns whether the browser prefetches the page, before a person follows the link. */
export function isPrefetch(call: Pick<Call, 'get'>): boolean {
  const purpose = `${call.get('Sec-Purpose')} ${call.get('Purpose')} ${call.get('X-Purpose')} ${call.get('X-Moz')}`;
  return /prefetch|prerender|preview/i.test(purpose);
}
