import type { ScoreStore } from '../../warehouse/store/types.ts';

/** Returns the name of an airline. If the list of airlines lacks the code, returns the code. */
export function airlineName(carrier: string, store: ScoreStore): string {
  return store.airline(carrier)?.name ?? carrier;
}
