import { sum } from '../../warehouse/ground/sum.ts';
import { interceptFor, logit } from '../../warehouse/ground/log-odds.ts';
import type { Rows } from './rows.ts';

/** Share of U.S. flights that arrive more than 30 minutes late in the long run; years lie between 0.06 and 0.14. */
const LONG_RUN_RATE = 0.115;

/**
 * How much of a history's distance from the long run the months after it keep, in log-odds. Of 64 airports of 2018,
 * 0.8 of nine months' distance stayed in the next three; of New York's in 2017, 0.7 was there in 2018.
 */
const DISTANCE_KEPT = 0.75;

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

/** Log-odds to expect after a history of that rate: nearer to the long run. */
export function expectedLevel(rate: number): number {
  return logit(LONG_RUN_RATE) + DISTANCE_KEPT * (logit(rate) - logit(LONG_RUN_RATE));
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
