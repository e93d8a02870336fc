import { sum } from './numbers.ts';

/** The inferred part of a group of flights. A brand is inferred if the record names only the operator. */
export type Inferred = {
  /** Share of these flights whose brand is inferred, 0 to 1. */
  inferredShare: number;
  /** Probability that the inferred brand of one of these flights is right; undefined if none is inferred. */
  confidence?: number;
};

/** Combines groups of flights. `flights` is the number of flights of a group, or the group's share of all flights. */
export function inferredOf(groups: readonly (Inferred & { flights: number })[]): Inferred {
  const inferred = sum(groups.map(({ flights, inferredShare }) => flights * inferredShare));
  if (inferred === 0) return { inferredShare: 0 };
  const right = sum(
    groups.map(
      ({ flights, inferredShare, confidence = 0 }) => flights * inferredShare * confidence,
    ),
  );
  const all = sum(groups.map(({ flights }) => flights));
  return { inferredShare: inferred / all, confidence: right / inferred };
}
