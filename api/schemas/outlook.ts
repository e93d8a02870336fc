import { z } from 'zod';

const share = z.number().min(0).max(1);
const percent = z.number().min(0).max(100);
const points = z.int().min(0).max(100);

/** `outlook` of a score: what can become of the flight, by minutes late; adds up to 1. Null without a model. */
export const outlookBody = z
  .strictObject({
    under_15: share,
    from_15_to_30: share,
    from_30_to_60: share,
    from_60_to_120: share,
    over_120: share,
    cancelled: share,
  })
  .nullable();

/** `interval` of a score: where it may lie, and its `ml_probability`, given how little history there is; null where there is none. */
export const intervalBody = z
  .strictObject({
    level: share,
    low: points,
    high: points,
    ml_probability: z.strictObject({ low: percent, high: percent }).nullable(),
  })
  .nullable();

export type OutlookBody = z.infer<typeof outlookBody>;
export type IntervalBody = z.infer<typeof intervalBody>;
