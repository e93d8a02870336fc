import { sum } from '../../warehouse/ground/sum.ts';
import { interceptFor, logit } from '../../warehouse/ground/log-odds.ts';
import { expectedLevel } from '../expected-level.ts';
import type { Rows } from './rows.ts';

type Counts = Pick<Rows, 'flights' | 'delayed'>;

/**
 * The intercept at which the rows would have, on average, as many delays as they had, now. Of rows whose levels are known
 * (`levelShift`), what has moved since is added to each; without any, the level is moved toward the long run.
 * `logOdds` is what each row has beyond it.
 */
export function levelOf(
  logOdds: Float64Array,
  { flights, delayed, levelShift }: Counts & Pick<Rows, 'levelShift'>,
): number {
  const known = [...levelShift.keys()].filter((row) => !Number.isNaN(levelShift[row]));
  if (known.length === 0) {
    const rate = sum(delayed) / sum(flights);
    return interceptFor(sum(delayed), logOdds, flights) + expectedLevel(rate) - logit(rate);
  }
  const pick = (values: Float64Array) => Float64Array.from(known, (row) => values[row] as number);
  const then = pick(logOdds.map((value, row) => value + (levelShift[row] as number)));
  return interceptFor(sum(pick(delayed)), then, pick(flights));
}

/** Of each row, the level of its month: with the row's effects on top, the month has as many delays as it had. */
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
