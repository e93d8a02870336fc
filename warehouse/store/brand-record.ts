import type { Inferred } from '../ground/inferred.ts';

/** The flights that a brand sells on a route and one operator flies. */
export type BrandOperator<Stats> = Inferred & {
  carrier: string;
  /** Share of the brand's flights, 0 to 1; recent months have more weight. */
  share: number;
  /** Counts of these flights, and the rates of the operator on the route. */
  stats: Stats;
  months: { first: string; last: string };
  /** Weighted departures in each local hour. */
  hours: Float32Array;
};

/** The flights that a brand sells on a route, of all operators together and by operator. */
export type BrandRecord<Stats> = Inferred & {
  operators: readonly BrandOperator<Stats>[];
  stats: Stats;
  months: { first: string; last: string };
  hours: Float32Array;
};
