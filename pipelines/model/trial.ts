import { sum } from '../../warehouse/ground/numbers.ts';
import { monthOf } from '../../warehouse/ground/dates.ts';
import type { Figures } from '../../models/evaluate/metrics.ts';
import type { Outcome } from '../../warehouse/build/as-of.ts';
import type { DistributionFigures } from '../../models/distribution-figures.ts';
import type { ScoreReliability } from '../../models/score-reliability.ts';

/**
 * Forecasts of the newest months by the candidate, which was not trained on these months, and by the released model.
 */
export type Trial = {
  /** `YYYY-MM`, ascending. */
  months: string[];
  candidate: Figures;
  /** Outcomes of the flights, by the score that the candidate gives them; absent in older reports. */
  score?: ScoreReliability;
  /** Accuracy of the delays, cancellations and payouts that the candidate forecasts; absent in older reports. */
  distribution?: DistributionFigures;
  /** Absent when no model is released, or when it does not fit this code. */
  previous?: Figures & { version: string };
  /** Comparison of the two models, flight by flight. */
  gain?: Gain;
  /** Rehearsal months that the released model was trained on; absent when there are none. */
  seen?: string[];
};

/**
 * The released model's Brier score minus the candidate's on the same flights; positive when the candidate is better.
 */
export type Gain = {
  gain: number;
  /** Standard error of the gain, estimated over the blocks. */
  error: number;
  /** Number of blocks; see `blocksOf`. */
  blocks: number;
};

/**
 * Minimum numbers of flights and blocks. With fewer, the result is mostly chance. A block is a day or, for flights
 * without a date, one month at one airport.
 */
export const MIN_FLIGHTS = 20_000;
export const MIN_BLOCKS = 20;
const REHEARSAL_MONTHS = 2;

/** Months left for training. */
const MIN_TRAINING_MONTHS = 2;

/** Minimum number of months: two for the rehearsal, and two before them for training. */
export const MIN_MONTHS = REHEARSAL_MONTHS + MIN_TRAINING_MONTHS;

/** The newest months of a lake, held out of a rehearsal's training. */
export type HeldOutMonths = {
  months: string[];
  outcomes: Outcome[];
  flights: number;
  blocks: number;
};

/**
 * Selects the newest of the months (`YYYY-MM`, ascending) until they have `minFlights` completed flights and enough
 * blocks. Adds a second month unless the released model was trained on it. Leaves the oldest months (`minTraining`, by
 * default two) for training, even if the selected months then have too few flights.
 */
export async function holdOutMonths(
  months: string[],
  trainedMonths: string[],
  outcomesOf: (month: string) => Promise<Outcome[]>,
  minFlights: number = MIN_FLIGHTS,
  minTraining: number = MIN_TRAINING_MONTHS,
): Promise<HeldOutMonths> {
  const heldOut: HeldOutMonths = { months: [], outcomes: [], flights: 0, blocks: 0 };
  for (const month of months.slice(minTraining).toReversed()) {
    const isEnough = heldOut.flights >= minFlights && heldOut.blocks >= MIN_BLOCKS;
    if (isEnough && (heldOut.months.length >= REHEARSAL_MONTHS || trainedMonths.includes(month))) {
      break;
    }
    const outcomes = await outcomesOf(month);
    heldOut.months.unshift(month);
    heldOut.outcomes = outcomes.concat(heldOut.outcomes);
    heldOut.flights += sum(outcomes.map(({ completed_count }) => completed_count));
    heldOut.blocks += new Set(blocksOf(outcomes)).size;
  }
  return heldOut;
}

/** The block of each flight: the day of the flight or, if the day is unknown, the airport and month. */
export function blocksOf(outcomes: Outcome[]): string[] {
  return outcomes.map(({ flight_date: day, dated_by, origin }) =>
    dated_by === 'day' ? day : `${monthOf(day)} ${origin}`,
  );
}
