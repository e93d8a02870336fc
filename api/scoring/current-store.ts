import type { ScoreStore } from '../../warehouse/store/types.ts';
import { RequestError } from '../errors.ts';
import type { StoreWatch } from './store-watch.ts';

/** The store to answer this request from; a 503 while there is none yet. */
export function currentStore(stores: Pick<StoreWatch, 'current'>): ScoreStore {
  const store = stores.current();
  if (!store) {
    throw new RequestError(
      503,
      'service_unavailable',
      'The flight history is not loaded yet; try again in a few seconds.',
    );
  }
  return store;
}
