import { ALL_HOURS } from '../ground/hours.ts';
import type { Columns } from './arrow.ts';
import type { RouteRows } from './route-rows.ts';
import type { EffectOdds, ScoreStore } from './types.ts';

/** Figures of a row: delay and congestion between the seasons, and where summer and winter are deepest. */
const FIGURES = [
  'delay',
  'congestion',
  'summer_delay',
  'summer_congestion',
  'winter_delay',
  'winter_congestion',
];
const [SUMMER, WINTER] = [2, 4];

/**
 * Look-up of what effects add up to, for the airline-routes of those rows in the hours they leave in and in all together.
 * Undefined for every other flight, and for all where the store was not published: then they are worked out when asked.
 */
export function flightOddsReader(
  columns: Columns,
  { rowOf, rowCount }: RouteRows,
): ScoreStore['flightOdds'] {
  const hours = columns.numbers('hour');
  const starts = new Int32Array(rowCount);
  const hoursFlown = new Int32Array(rowCount);
  let airlineRoute = -1;
  for (let row = 0; row < hours.length; row++) {
    const hour = hours[row] as number;
    if (hour === ALL_HOURS) starts[++airlineRoute] = row;
    else hoursFlown[airlineRoute] = (hoursFlown[airlineRoute] as number) | (1 << hour);
  }
  if (airlineRoute + 1 !== rowCount) return () => undefined;
  const values = FIGURES.map((name) => columns.numbers(name));
  const between = (row: number, at: number, deepest: number, depth: number): number => {
    const from = values[at]?.[row] as number;
    return from + depth * ((values[deepest]?.[row] as number) - from);
  };
  const oddsOf = (row: number, deepest: number, depth: number): EffectOdds => ({
    delay_rate: between(row, 0, deepest, depth),
    congestion: between(row, 1, deepest + 1, depth),
  });
  return ({ origin, dest, carrier, crsDepHour }, { halfYear, depth }) => {
    const at = rowOf(origin, dest, carrier);
    if (at === -1) return undefined;
    const deepest = halfYear === 'S' ? SUMMER : WINTER;
    const start = starts[at] as number;
    if (crsDepHour === undefined) return oddsOf(start, deepest, depth);
    const flown = hoursFlown[at] as number;
    if ((flown & (1 << crsDepHour)) === 0) return undefined;
    return oddsOf(start + 1 + bitCount(flown & ((1 << crsDepHour) - 1)), deepest, depth);
  };
}

/** How many bits are set, of the lowest 24. */
function bitCount(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}
