import { setImmediate } from 'node:timers/promises';
import type { ScoreStore } from '../warehouse/store/types.ts';
import { averageFlight } from './average-flight.ts';
import { endOfAirline } from './current-airlines.ts';
import { countriesOnRecord } from './history.ts';

/**
 * Computes the figures that all answers from a store share, so that the first answer does not wait for them. Between
 * two figures, the process can do other work.
 */
export async function prepareStore(store: ScoreStore): Promise<void> {
  averageFlight(store);
  await setImmediate();
  endOfAirline('', store);
  await setImmediate();
  countriesOnRecord(store);
}
