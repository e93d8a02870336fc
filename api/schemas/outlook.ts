import { z } from 'zod';
import { percent, points, share } from './field.ts';

/** Field `outlook` of a score: probabilities of the possible outcomes, grouped by minutes of delay. */
export const outlookBody = z
  .strictObject({
    under_15: share.describe('Arrives less than 15 minutes late, or early.'),
    from_15_to_30: share.describe('Arrives 15 to 30 minutes late, inclusive.'),
    from_30_to_60: share.describe('Arrives more than 30 and up to 60 minutes late.'),
    from_60_to_120: share.describe('Arrives more than 60 and up to 120 minutes late.'),
    over_120: share.describe('Arrives more than 120 minutes late.'),
    diverted: share.describe('Is diverted to another airport.'),
    cancelled: share.describe('Is cancelled.'),
    beyond_120: z
      .strictObject({
        from_120_to_180: share.describe('Arrives more than 120 and up to 180 minutes late.'),
        over_180: share.describe('Arrives more than 180 minutes late.'),
      })
      .describe('The two parts of `over_120`.'),
  })
  .nullable()
  .describe(
    'Probability of each outcome, from `under_15` to `cancelled`; they add up to 1. Null without a model.',
  );

/** Field `interval` of a score: the uncertainty that remains because the history is limited. */
export const intervalBody = z
  .strictObject({
    level: share.describe('Probability that the score lies in the interval.'),
    low: points.describe('Lower end of the score.'),
    high: points.describe('Upper end of the score.'),
    ml_probability: z
      .strictObject({ low: percent.describe('Lower end.'), high: percent.describe('Upper end.') })
      .nullable()
      .describe('Interval of `ml_probability`; null without a model.'),
  })
  .nullable()
  .describe(
    'Range that would contain the score, with probability `level`, if the delay record were complete. Events in force widen it. Null with `no_data`.',
  );

export type OutlookBody = z.infer<typeof outlookBody>;
export type IntervalBody = z.infer<typeof intervalBody>;
