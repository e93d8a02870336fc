import type { Columns } from './arrow.ts';
import { monthAfter1970 } from './record-months.ts';
import { codesToNumber } from './code-number.ts';
import { statsReader } from './flight-stats.ts';
import { createNumberIndex } from './number-index.ts';
import type { BrandOperator, BrandRecord } from './brand-record.ts';
import type { AirlineRoute, FlightStats, ScoreStore } from './types.ts';
import { HOURS } from '../ground/hours.ts';
import { inferredOf } from '../ground/inferred.ts';

/**
 * Returns lookups of the flights that a brand sells on a route, by operator. `brand` returns undefined for a brand that
 * operates all its flights on the route itself. `brandRoutes` lists the routes of all other brands. The rows of a brand
 * on a route are adjacent.
 */
export function brandReader(
  columns: Columns,
): Pick<ScoreStore, 'brand' | 'brandsOnRoute' | 'brandRoutes'> {
  const [origins, dests, brands, carriers] = ['origin', 'dest', 'brand', 'carrier'].map((name) =>
    columns.text(name),
  ) as [string[], string[], string[], string[]];
  const starts = createNumberIndex();
  const keyOf = (row: number) => codesToNumber(origins[row]!, dests[row]!, brands[row]);
  const onRoute = new Map<string, string[]>();
  const routes: AirlineRoute[] = [];
  for (let row = 0; row < columns.rowCount; row++) {
    if (starts.get(keyOf(row)) !== -1) continue;
    starts.set(keyOf(row), row);
    const [origin, dest, brand] = [origins[row]!, dests[row]!, brands[row]!];
    routes.push({ origin, dest, carrier: brand });
    onRoute.set(origin + dest, [...(onRoute.get(origin + dest) ?? []), brand]);
  }
  const stats = statsReader(columns);
  const [shares, inferred, confidences, first, last] = [
    'share',
    'inferred_share',
    'confidence',
    'first_month',
    'last_month',
  ].map((name) => columns.numbers(name));
  const hours = columns.lists('hours').values;
  const operatorAt = (row: number): BrandOperator<FlightStats> => ({
    carrier: carriers[row] as string,
    share: Number(shares?.[row]),
    inferredShare: Number(inferred?.[row]),
    ...confidenceOf(Number(confidences?.[row])),
    stats: stats(row) as FlightStats,
    months: {
      first: monthAfter1970(Number(first?.[row])),
      last: monthAfter1970(Number(last?.[row])),
    },
    hours: hours.subarray(row * HOURS.length, (row + 1) * HOURS.length),
  });
  // Cache the results, because an answer looks up its brand several times.
  const records = new Map<number, BrandRecord<FlightStats>>();
  const brand: ScoreStore['brand'] = (origin, dest, code) => {
    const key = codesToNumber(origin, dest, code);
    const start = starts.get(key);
    if (start === -1) return undefined;
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
  return {
    brand,
    brandsOnRoute: (origin, dest) => onRoute.get(origin + dest) ?? [],
    brandRoutes: () => routes,
  };
}

/** Returns the confidence of inferred brands; an empty object for NaN, which means that no brand is inferred. */
function confidenceOf(confidence: number): { confidence?: number } {
  return Number.isNaN(confidence) ? {} : { confidence };
}

/**
 * Adds up the operators of a brand. The rates of a brand are the mean rates of its operators, weighted by the brand's
 * flights.
 */
function toRecord(operators: BrandOperator<FlightStats>[]): BrandRecord<FlightStats> {
  const total = (value: (stats: FlightStats) => number) =>
    operators.reduce((sum, { stats }) => sum + value(stats), 0);
  const mean = (value: (one: BrandOperator<FlightStats>) => number) =>
    operators.reduce((sum, one) => sum + one.share * value(one), 0);
  const hours = new Float32Array(HOURS.length);
  for (const operator of operators) {
    for (let hour = 0; hour < hours.length; hour++) {
      hours[hour] = (hours[hour] as number) + (operator.hours[hour] as number);
    }
  }
  return {
    operators,
    ...inferredOf(operators.map((one) => ({ ...one, flights: one.share }))),
    stats: {
      flightCount: total(({ flightCount }) => flightCount),
      completedCount: total(({ completedCount }) => completedCount),
      delayedCount: total(({ delayedCount }) => delayedCount),
      cancelledCount: total(({ cancelledCount }) => cancelledCount),
      delayedMinSum: total(({ delayedMinSum }) => delayedMinSum),
      delayedRate: mean(({ stats }) => stats.delayedRate),
      cancelledRate: mean(({ stats }) => stats.cancelledRate),
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
