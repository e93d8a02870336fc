import { monthsBetween } from '../warehouse/ground/dates.ts';
import parameters from './record-age.json' with { type: 'json' };

/** Fitted by `npm run fit -- age`. */
const { freshMonths, halfLifeMonths } = parameters;

/**
 * Share of its worth that a record has for a flight, 0 to 1. A record that ends within a year before the flight counts
 * in full. After that, its worth halves regularly. `lastMonth` is `YYYY-MM`; an unknown month counts as fresh.
 */
export function recordWorth(lastMonth: string | undefined, flightDate: string): number {
  if (lastMonth === undefined) return 1;
  const age = monthsBetween(lastMonth, flightDate);
  return 2 ** (-Math.max(0, age - freshMonths) / halfLifeMonths);
}
