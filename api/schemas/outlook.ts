import { z } from 'zod';
import { percent, points, share } from './field.ts';

/** `outlook` of a score: what can become of the flight, by minutes late. */
export const outlookBody = z
  .strictObject({
    under_15: share.describe('Arrives less than 15 minutes late, or early.'),
    from_15_to_30: share.describe('15 to 30 minutes late, both included.'),
    from_30_to_60: share.describe('More than 30, up to 60 minutes late.'),
    from_60_to_120: share.describe('More than 60, up to 120 minutes late.'),
    over_120: share.describe('More than 120 minutes late.'),
    cancelled: share.describe('Does not fly.'),
  })
  .nullable()
  .describe('Shares of flights by delay on arrival; they add up to 1. Null without a model.');

/** `interval` of a score: where it may lie, given how little history there is. */
export const intervalBody = z
  .strictObject({
    level: share.describe('The probability that it lies within.'),
    low: points.describe('Lower end of the score.'),
    high: points.describe('Upper end of the score.'),
    ml_probability: z
      .strictObject({ low: percent.describe('Lower end.'), high: percent.describe('Upper end.') })
      .nullable()
      .describe('The same of `ml_probability`; null without a model.'),
  })
  .nullable()
  .describe(
    'Where the score would lie, with probability `level`, were the delay record of such flights known for good. Null where the history holds nothing of route, airports and airline.',
  );

export type OutlookBody = z.infer<typeof outlookBody>;
export type IntervalBody = z.infer<typeof intervalBody>;
