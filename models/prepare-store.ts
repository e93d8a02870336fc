import { setImmediate } from 'node:timers/promises';
import type { ScoreStore } from '../warehouse/store/types.ts';
import { averageFlight } from './average-flight.ts';
import { endOfAirline } from './current-airlines.ts';
import { countriesOnRecord } from './evidence.ts';

/**
 * Computes the figures that are computed once per store, so that the first answer does not wait for them. Other work
 * runs between the figures.
 */
export async function prepareStore(store: ScoreStore): Promise<void> {
  averageFlight(store);
  await setImmediate();
  endOfAirline('', store);
  await setImmediate();
  countriesOnRecord(store);
}
