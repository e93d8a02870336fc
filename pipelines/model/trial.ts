import { sum } from '../../warehouse/ground/sum.ts';
import { monthOf } from '../../warehouse/ground/dates.ts';
import type { Figures } from '../../models/evaluate/metrics.ts';
import type { Outcome } from '../../warehouse/build/as-of.ts';
import type { ScoreReliability } from '../../models/score-reliability.ts';

/** How a candidate and the released model forecast the newest months, which the candidate has not seen. */
export type Trial = {
  /** `YYYY-MM`, ascending. */
  months: string[];
  candidate: Figures;
  /** What became of the flights by the score they have with the candidate; reports of before have none. */
  score?: ScoreReliability;
  /** Absent when no model is released, or it does not fit this code. */
  previous?: Figures & { version: string };
  /** How the two compare, flight by flight. */
  gain?: Gain;
  /** Those of the months the released model was trained on, too; absent when it is none. */
  seen?: string[];
};

/** By how much the candidate's Brier score is below the other's on the same flights; negative where it is above. */
export type Gain = {
  gain: number;
  /** Its standard error, by the blocks. */
  error: number;
  /** See `blocksOf`. */
  blocks: number;
};

/** Flights, days and months below which luck decides; days are airports in months where flights have no date. */
export const FEWEST_FLIGHTS = 20_000;
export const FEWEST_BLOCKS = 20;
const MONTHS = 2;

/** Months left to learn from. */
const FEWEST_LEARNED = 2;

/** Two months to rehearse on, and two before them to learn from. */
export const FEWEST_MONTHS = MONTHS + FEWEST_LEARNED;

/** The newest months of a lake, held back from a rehearsal's training. */
export type Held = { months: string[]; outcomes: Outcome[]; flights: number; blocks: number };

/**
 * The newest of the months (`YYYY-MM`, ascending): as many as it takes for `fewest` completed flights, two where the
 * released model has not seen the second. May hold fewer where there are no more months; some are left to learn from.
 */
export async function holdBack(
  months: string[],
  seen: string[],
  outcomesOf: (month: string) => Promise<Outcome[]>,
  fewest: number = FEWEST_FLIGHTS,
): Promise<Held> {
  const held: Held = { months: [], outcomes: [], flights: 0, blocks: 0 };
  for (const month of months.slice(FEWEST_LEARNED).toReversed()) {
    const isEnough = held.flights >= fewest && held.blocks >= FEWEST_BLOCKS;
    if (isEnough && (held.months.length >= MONTHS || seen.includes(month))) break;
    const outcomes = await outcomesOf(month);
    held.months.unshift(month);
    held.outcomes = outcomes.concat(held.outcomes);
    held.flights += sum(outcomes.map(({ completed_count }) => completed_count));
    held.blocks += new Set(blocksOf(outcomes)).size;
  }
  return held;
}

/** The block of each of the flights: its day; where that is not known, its airport's month. */
export function blocksOf(outcomes: Outcome[]): string[] {
  return outcomes.map(({ flight_date: day, dated_by, origin }) =>
    dated_by === 'day' ? day : `${monthOf(day)} ${origin}`,
  );
}
