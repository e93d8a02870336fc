import type { BetterFlight, FullScore } from '../flight/flight-data.ts';

/** A score, with the optional parts that the comparison shows. */
export type ComparedScore = Omit<FullScore, 'by_hour' | 'blend' | 'news'>;

/** The data of the comparison of flights. */
export type CompareData = {
  /** Answers of `/api/score`, in the order of the address. Empty until a visitor enters flights. */
  flights: ComparedScore[];
  /** Better options of the first flight that are not compared yet. */
  suggestions: BetterFlight[];
};
