import { sum } from '../../warehouse/ground/numbers.ts';
import { interceptFor, logit } from '../../warehouse/ground/log-odds.ts';
import type { Rows } from './rows.ts';
import { expectedLevel } from '../effect-odds.ts';

type Counts = Pick<Rows, 'flights' | 'delayed'>;

/**
 * Returns the intercept of the model for the current level of delay. `logOdds` are the rows' log-odds without the
 * intercept. If levels are known, `levelShift` first moves each row from the level of its month to the current level.
 * Otherwise, the level of the rows is moved toward the long-run level.
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
 * Returns, for each row, the level of its month: the level at which the expected delays of the month equal the observed
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
