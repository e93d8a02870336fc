import { sum } from '../../warehouse/ground/sum.ts';
import { pairedFigures, type PairedFigures } from '../../models/evaluate/paired.ts';
import { HOURS, METHODS, type Forecasts, type Hours, type Method } from './forecasts.ts';
import type { Curves } from './cases.ts';
import { blocksOf } from './trial.ts';

/** Flights of one airline-route, day and hour, and the probability every method gave them. */
export type ForecastCell = {
  /** `JFK-LAX-AA-2018-08-01-8`; without the hour where it is unknown. */
  key: string;
  /** What the noise is told by; see `blocksOf`. */
  block: string;
  flights: number;
  delayed: number;
  /** Null where the method has no say. */
  said: Record<Method, Record<Hours, number | null>>;
};

/** Two back-tests on the very same flights. */
export type Comparison = {
  /** Flights of either that the other did not forecast. */
  unpaired: number;
  by: Record<Method, Record<Hours, PairedFigures>>;
};

/** What was forecast, scores as probabilities; groups none of whose flights were completed say nothing. */
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

/** Thrown where two back-tests say different things of what became of the same flights. */
export class OtherFlightsError extends Error {
  readonly isFinal = true;
  override readonly name = 'OtherFlightsError';
}

/** Ours against theirs, on the flights both forecast; throws `OtherFlightsError` where those are not the same ones. */
export function compareCells(ours: ForecastCell[], theirs: ForecastCell[]): Comparison {
  const other = new Map(theirs.map((cell) => [cell.key, cell]));
  const pairs = ours.flatMap((own) => {
    const their = other.get(own.key);
    if (!their) return [];
    if (their.flights === own.flights && their.delayed === own.delayed) return { own, their };
    throw new OtherFlightsError(`${own.key}: ${counts(own)} here and ${counts(their)} there`);
  });
  const paired = flightsOf(pairs.map(({ own }) => own));
  const by = byMethod((method, hours) =>
    pairedFigures(
      pairs.flatMap(({ own: { block, flights, delayed, said }, their }) => {
        const [mine, yours] = [said[method][hours], their.said[method][hours]];
        if (mine === null || yours === null) return [];
        return { cluster: block, flights, delayed, ours: mine, theirs: yours };
      }),
    ),
  );
  return { unpaired: flightsOf(ours) + flightsOf(theirs) - 2 * paired, by };
}

function counts({ flights, delayed }: ForecastCell): string {
  return `${delayed} of ${flights} were delayed`;
}

function flightsOf(cells: ForecastCell[]): number {
  return sum(cells.map(({ flights }) => flights));
}

function byMethod<T>(of: (method: Method, hours: Hours) => T): Record<Method, Record<Hours, T>> {
  const entries = METHODS.map((method) => [
    method,
    Object.fromEntries(HOURS.map((hours) => [hours, of(method, hours)])),
  ]);
  return Object.fromEntries(entries) as Record<Method, Record<Hours, T>>;
}
