import type { ScoreStore } from '../../warehouse/store/types.ts';
import { RequestError } from '../errors.ts';
import type { StoreWatch } from './store-watch.ts';

/** Returns the current store. Throws a 503 while no store is loaded. */
export function currentStore(stores: Pick<StoreWatch, 'current'>): ScoreStore {
  const store = stores.current();
  if (!store) {
    throw new RequestError(
      503,
      'service_unavailable',
      'The flight history is not loaded yet. Try again in a few seconds.',
    );
  }
  return store;
}
