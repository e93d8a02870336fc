import type { Call } from '../call.ts';
import { RequestError } from '../errors.ts';

/**
 * Refuses what a browser asks on its own or on behalf of another site. A GET that changes something needs it:
 * a prefetched link or an image tag elsewhere must not make a key.
 */
export function refuseForeignPage(call: Pick<Call, 'get'>): void {
  if (isAskedAhead(call)) {
    throw new RequestError(403, 'forbidden', 'Keys are not created ahead of being asked for.');
  }
  if (call.get('Sec-Fetch-Site').toLowerCase() === 'cross-site') {
    throw new RequestError(403, 'forbidden', 'Keys are not created from the pages of other sites.');
  }
}

/** Whether a browser asks before anybody follows the link. */
export function isAskedAhead(call: Pick<Call, 'get'>): boolean {
  const purpose = `${call.get('Sec-Purpose')} ${call.get('Purpose')} ${call.get('X-Purpose')} ${call.get('X-Moz')}`;
  return /prefetch|prerender|preview/i.test(purpose);
}
