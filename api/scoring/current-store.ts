import type { ScoreStore } from '../../warehouse/store/types.ts';
import type { ApiDeps } from '../deps.ts';
import { RequestError } from '../errors.ts';

/** The store to answer this request from; a 503 while there is none yet. */
export function currentStore(feed: ApiDeps['feed']): ScoreStore {
  const store = feed.current();
  if (!store) {
    throw new RequestError(
      503,
      'service_unavailable',
      'The flight history is not loaded yet; try again in a few seconds.',
    );
  }
  return store;
}
