import { sum } from '../../warehouse/ground/numbers.ts';
import { pairedFigures, type PairedFigures } from '../../models/evaluate/paired.ts';
import { HOURS, METHODS, type Forecasts, type Hours, type Method } from './forecasts.ts';
import type { Curves } from './cases.ts';
import { blocksOf } from './trial.ts';

/** Flights of one airline-route, day and hour, and each method's probability for them. */
export type ForecastCell = {
  /** `JFK-LAX-AA-2018-08-01-8`; without the last part where the hour is unknown. */
  key: string;
  /** The block of the flights, from which the noise is estimated; see `blocksOf`. */
  block: string;
  flights: number;
  delayed: number;
  /** Null where the method has no forecast. */
  said: Record<Method, Record<Hours, number | null>>;
};

/** Comparison of two backtests on the same flights. */
export type Comparison = {
  /** Number of flights for which only one of the backtests has a forecast. */
  unpaired: number;
  by: Record<Method, Record<Hours, PairedFigures>>;
};

/** Converts forecasts to cells, with scores as probabilities; groups without completed flights are left out. */
export function cellsOf(scored: Forecasts, curves: Curves): ForecastCell[] {
  const blocks = blocksOf(scored.with_dep_time.map(({ outcome }) => outcome));
  return scored.with_dep_time.flatMap(({ outcome }, at) => {
    const { origin, dest, carrier, flight_date: day, local_hour: hour } = outcome;
    if (outcome.completed_count === 0) return [];
    const probability = (method: Method, hours: Hours) => {
      const value = scored[hours][at]?.[method];
      if (value === undefined) return null;
      return method === 'ml' ? value : curves[hours][method](value);
    };
    return {
      key: [origin, dest, carrier, day, ...(hour === null ? [] : [hour])].join('-'),
      block: blocks[at] as string,
      flights: outcome.completed_count,
      delayed: outcome.delayed_count,
      said: byMethod((method, hours) => probability(method, hours)),
    };
  });
}

/** Two backtests have different outcomes for the same flights. */
export class OtherFlightsError extends Error {
  readonly isFinal = true;
  override readonly name = 'OtherFlightsError';
}

/**
 * Compares our cells with the cells of another backtest. Uses only the flights for which both backtests have a
 * forecast. Throws `OtherFlightsError` if the outcomes differ.
 */
export function compareCells(ours: ForecastCell[], theirs: ForecastCell[]): Comparison {
  const theirCells = new Map(theirs.map((cell) => [cell.key, cell]));
  const pairs = ours.flatMap((ourCell) => {
    const theirCell = theirCells.get(ourCell.key);
    if (!theirCell) return [];
    const isEqual = theirCell.flights === ourCell.flights && theirCell.delayed === ourCell.delayed;
    if (isEqual) return { ourCell, theirCell };
    throw new OtherFlightsError(
      `${ourCell.key}: ${describeOutcome(ourCell)} in this backtest, ${describeOutcome(theirCell)} in the other`,
    );
  });
  const pairedFlights = flightsOf(pairs.map(({ ourCell }) => ourCell));
  const by = byMethod((method, hours) =>
    pairedFigures(
      pairs.flatMap(({ ourCell: { block, flights, delayed, said }, theirCell }) => {
        const [ourForecast, theirForecast] = [said[method][hours], theirCell.said[method][hours]];
        if (ourForecast === null || theirForecast === null) return [];
        return { cluster: block, flights, delayed, ours: ourForecast, theirs: theirForecast };
      }),
    ),
  );
  return { unpaired: flightsOf(ours) + flightsOf(theirs) - 2 * pairedFlights, by };
}

function describeOutcome({ flights, delayed }: ForecastCell): string {
  return `${delayed} of ${flights} were delayed`;
}

function flightsOf(cells: ForecastCell[]): number {
  return sum(cells.map(({ flights }) => flights));
}

function byMethod<T>(
  compute: (method: Method, hours: Hours) => T,
): Record<Method, Record<Hours, T>> {
  const entries = METHODS.map((method) => [
    method,
    Object.fromEntries(HOURS.map((hours) => [hours, compute(method, hours)])),
  ]);
  return Object.fromEntries(entries) as Record<Method, Record<Hours, T>>;
}
