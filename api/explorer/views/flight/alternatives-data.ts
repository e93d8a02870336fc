import type { AlternativesBody } from '../../../schemas/alternatives.ts';

/** The data of the alternatives of a flight. */
export type AlternativesData = {
  /** Names of the two cities. */
  from: string;
  to: string;
  /** The limit in the API call behind this answer. */
  limit: number;
  /** The answer of `/api/alternatives`. */
  answer: AlternativesBody;
  /**
   * Probabilities of being late or cancelled, 0 to 1: first of the flight, then of each alternative. Null without a
   * record.
   */
  shares: (number | null)[];
};
