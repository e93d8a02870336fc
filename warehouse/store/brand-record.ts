/** The flights that a brand sells on a route and one operator flies. */
export type BrandOperator<Stats> = {
  carrier: string;
  /** Share of the brand's flights, 0 to 1; recent months have more weight. */
  share: number;
  /** Share of these flights whose brand is inferred, 0 to 1. */
  inferredShare: number;
  /** Probability that the inferred brand of one of these flights is right; undefined if none is inferred. */
  confidence?: number;
  /** Counts of these flights, and the rates of the operator on the route. */
  stats: Stats;
  months: { first: string; last: string };
  /** Weighted departures in each local hour. */
  hours: Float32Array;
};

/** The flights that a brand sells on a route, of all operators together and by operator. */
export type BrandRecord<Stats> = {
  operators: readonly BrandOperator<Stats>[];
  /** As for an operator, over the flights of all operators. */
  inferredShare: number;
  confidence?: number;
  stats: Stats;
  months: { first: string; last: string };
  hours: Float32Array;
};
