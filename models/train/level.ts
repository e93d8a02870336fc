import { sum } from '../../warehouse/ground/sum.ts';
import { interceptFor, logit } from '../../warehouse/ground/log-odds.ts';
import type { Rows } from './rows.ts';
import { expectedLevel } from '../effect-odds.ts';

type Counts = Pick<Rows, 'flights' | 'delayed'>;

/**
 * Returns the intercept at which the rows would, on average, have their observed number of delays at the current level.
 * If levels are known, the rows' own `levelShift` accounts for the change since their month. Otherwise the level is
 * moved toward the long-run level. `logOdds` are the rows' log-odds without the intercept.
 */
export function levelOf(
  logOdds: Float64Array,
  { flights, delayed, levelShift }: Counts & Pick<Rows, 'levelShift'>,
): number {
  const knownRows = [...levelShift.keys()].filter((row) => !Number.isNaN(levelShift[row]));
  if (knownRows.length === 0) {
    const rate = sum(delayed) / sum(flights);
    return interceptFor(sum(delayed), logOdds, flights) + expectedLevel(rate) - logit(rate);
  }
  const pick = (values: Float64Array) =>
    Float64Array.from(knownRows, (row) => values[row] as number);
  const shiftedLogOdds = pick(logOdds.map((value, row) => value + (levelShift[row] as number)));
  return interceptFor(sum(pick(delayed)), shiftedLogOdds, pick(flights));
}

/**
 * For each row, the level of its month. This level plus the effects of the month's rows gives the observed number of
 * delays.
 */
export function monthLevels({ month, effects, flights, delayed }: Rows): Float64Array {
  const levels = new Float64Array(month.length);
  const rowsByMonth = Map.groupBy(month.keys(), (row) => month[row] as number);
  for (const rows of rowsByMonth.values()) {
    const pick = (values: Float64Array) => Float64Array.from(rows, (row) => values[row] as number);
    const level = interceptFor(sum(pick(delayed)), pick(effects), pick(flights));
    for (const row of rows) levels[row] = level;
  }
  return levels;
}
