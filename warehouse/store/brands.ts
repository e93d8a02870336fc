import type { Columns } from './arrow.ts';
import { monthAfter1970 } from './record-months.ts';
import { statsReader } from './flight-stats.ts';
import type { BrandOperator, BrandRecord } from './brand-record.ts';
import type { FlightStats, ScoreStore } from './types.ts';
import { HOURS } from '../ground/hours.ts';

/**
 * Returns a lookup of the flights that a brand sells on a route, by operator. The lookup returns undefined for a brand
 * that operates all its flights on the route itself. The rows of a brand on a route are adjacent.
 */
export function brandReader(columns: Columns): ScoreStore['brand'] {
  const [origins, dests, brands, carriers] = ['origin', 'dest', 'brand', 'carrier'].map((name) =>
    columns.text(name),
  ) as [string[], string[], string[], string[]];
  const starts = new Map<string, number>();
  const keyOf = (row: number) => `${origins[row]}${dests[row]}${brands[row]}`;
  for (let row = columns.rowCount - 1; row >= 0; row--) starts.set(keyOf(row), row);
  const stats = statsReader(columns);
  const [shares, inferred, first, last] = [
    'share',
    'inferred_share',
    'first_month',
    'last_month',
  ].map((name) => columns.numbers(name));
  const hours = columns.lists('hours').values;
  const operatorAt = (row: number): BrandOperator<FlightStats> => ({
    carrier: carriers[row] as string,
    share: Number(shares?.[row]),
    inferredShare: Number(inferred?.[row]),
    stats: stats(row) as FlightStats,
    months: {
      first: monthAfter1970(Number(first?.[row])),
      last: monthAfter1970(Number(last?.[row])),
    },
    hours: hours.subarray(row * HOURS.length, (row + 1) * HOURS.length),
  });
  // An answer looks up its brand several times.
  const records = new Map<string, BrandRecord<FlightStats>>();
  return (origin, dest, code) => {
    const key = `${origin}${dest}${code}`;
    const start = starts.get(key);
    if (start === undefined) return undefined;
    const known = records.get(key);
    if (known) return known;
    const operators: BrandOperator<FlightStats>[] = [];
    for (let row = start; row < columns.rowCount && keyOf(row) === key; row++) {
      operators.push(operatorAt(row));
    }
    const record = toRecord(operators);
    records.set(key, record);
    return record;
  };
}

/** Adds up the operators of a brand. Rates are those of the operators, weighted by the brand's flights. */
function toRecord(operators: BrandOperator<FlightStats>[]): BrandRecord<FlightStats> {
  const total = (value: (stats: FlightStats) => number) =>
    operators.reduce((sum, { stats }) => sum + value(stats), 0);
  const mean = (value: (stats: FlightStats) => number) =>
    operators.reduce((sum, { share, stats }) => sum + share * value(stats), 0);
  const hours = new Float32Array(HOURS.length);
  for (const operator of operators) {
    for (let hour = 0; hour < hours.length; hour++) {
      hours[hour] = (hours[hour] as number) + (operator.hours[hour] as number);
    }
  }
  return {
    operators,
    stats: {
      flightCount: total(({ flightCount }) => flightCount),
      completedCount: total(({ completedCount }) => completedCount),
      delayedCount: total(({ delayedCount }) => delayedCount),
      cancelledCount: total(({ cancelledCount }) => cancelledCount),
      delayedMinSum: total(({ delayedMinSum }) => delayedMinSum),
      delayedRate: mean(({ delayedRate }) => delayedRate),
      cancelledRate: mean(({ cancelledRate }) => cancelledRate),
    },
    months: {
      first: operators.map(({ months }) => months.first).toSorted()[0] as string,
      last: operators
        .map(({ months }) => months.last)
        .toSorted()
        .at(-1) as string,
    },
    hours,
  };
}
