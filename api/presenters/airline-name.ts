import type { ScoreStore } from '../../warehouse/store/types.ts';

/** Returns the name of an airline. The reference data may no longer list a carrier of the history. */
export function airlineName(carrier: string, store: ScoreStore): string {
  return store.airline(carrier)?.name ?? carrier;
}
