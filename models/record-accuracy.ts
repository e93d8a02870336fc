import { z } from 'zod';
import { scoreReliability } from './score-reliability.ts';

const share = z.number().min(0).max(1);

/** Figures of P(delayed) from the statistics. `auc` is computed from the score instead. */
const figures = z.object({
  n: z.int().min(0),
  /** Mean forecast, and actual share of delays. */
  forecast: share,
  observed: share,
  auc: share,
  logLoss: z.number(),
  brier: z.number(),
  /** Brier skill. The reference is a constant forecast: the share of delayed flights before the test. */
  skill: z.number(),
  ece: share,
  /**
   * Log loss of our forecast minus the log loss of the former rates of the airline-routes. `error` is the standard
   * error of this difference; null if all flights are of one day.
   */
  overRates: z.object({ difference: z.number(), error: z.number().nullable() }),
});

/** Accuracy of a record. The newest flights of the record are forecast from its earlier flights. */
export const recordAccuracy = z.object({
  /**
   * `failed`: a simple forecast is better. `unmeasured`: there are too few flights to decide. In every state, answers
   * use the record, because no better data exists for its flights.
   */
  state: z.enum(['passed', 'failed', 'unmeasured']),
  /** The reason for the state, as a clause. */
  why: z.string(),
  /** Absent if nothing could be measured. */
  measured: z
    .object({
      /** First and last month before the test, `YYYY-MM`. */
      trainedOn: z.object({ first: z.string(), last: z.string() }),
      testedOn: z.array(z.string()).min(1),
      /** Share of the completed flights that were measured: those whose route has earlier flights. */
      share,
      withHour: figures,
      withoutHour: figures,
      score: scoreReliability,
    })
    .optional(),
});

export type RecordAccuracy = z.infer<typeof recordAccuracy>;
export type AccuracyFigures = z.infer<typeof figures>;
export type AccuracyState = RecordAccuracy['state'];

/** Returns the accuracy that a manifest has for a record; undefined if there is none, or if it has another layout. */
export function accuracyOf(accuracy: unknown): RecordAccuracy | undefined {
  return recordAccuracy.safeParse(accuracy).data;
}
