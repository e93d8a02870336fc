import type { Columns } from './arrow.ts';
import type { RouteRows } from './route-rows.ts';
import type { ScoreStore } from './types.ts';
import { ALL_HOURS } from '../ground/hours.ts';

/** Columns with the summed effects at season depth 0, at depth 1 in summer, and at depth 1 in winter. */
const FIGURES = ['log_odds', 'summer_log_odds', 'winter_log_odds'];
const [BETWEEN, SUMMER, WINTER] = [0, 1, 2];

/**
 * Returns a function that looks up the summed effects of an airline-route, for a departure hour or for all hours
 * together. The result is undefined for a flight that the table does not have. In a store that is not published yet,
 * the table is empty, and callers compute the effects.
 */
export function flightOddsReader(
  columns: Columns,
  { rowOf, rowCount }: RouteRows,
): ScoreStore['flightOdds'] {
  const hours = columns.numbers('hour');
  const starts = new Int32Array(rowCount);
  const departureHours = new Int32Array(rowCount);
  let airlineRoute = -1;
  for (let row = 0; row < hours.length; row++) {
    const hour = hours[row] as number;
    if (hour === ALL_HOURS) starts[++airlineRoute] = row;
    else departureHours[airlineRoute] = (departureHours[airlineRoute] as number) | (1 << hour);
  }
  if (airlineRoute + 1 !== rowCount) return () => undefined;
  const values = FIGURES.map((name) => columns.numbers(name));
  const oddsOf = (row: number, deepest: number, depth: number): number => {
    const from = values[BETWEEN]?.[row] as number;
    return from + depth * ((values[deepest]?.[row] as number) - from);
  };
  return ({ origin, dest, carrier, crsDepHour }, { halfYear, depth }) => {
    const at = rowOf(origin, dest, carrier);
    if (at === -1) return undefined;
    const deepest = halfYear === 'S' ? SUMMER : WINTER;
    const start = starts[at] as number;
    if (crsDepHour === undefined) return oddsOf(start, deepest, depth);
    const hourBits = departureHours[at] as number;
    if ((hourBits & (1 << crsDepHour)) === 0) return undefined;
    return oddsOf(start + 1 + bitCount(hourBits & ((1 << crsDepHour) - 1)), deepest, depth);
  };
}

/** Counts the bits that are 1. */
function bitCount(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}
